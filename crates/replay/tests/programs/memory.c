/* One memory error, or none, by name. A comment marks the line that a test expects. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile char sink;

static int is(const char *name, char **argv)
{
	return strcmp(argv[1], name) == 0;
}

static void on_fault(int signal)
{
	(void)signal;
	exit(42);
}

static void many_blocks(void)
{
	static char *blocks[40000];
	for (int i = 0; i < 40000; i++) {
		blocks[i] = malloc(i % 100 + 1);
		memset(blocks[i], i, i % 100 + 1);
	}
	for (int i = 0; i < 40000; i++) {
		if (i % 3 == 0)
			blocks[i] = realloc(blocks[i], 150);
		if (blocks[i][i % 100] != (char)i)
			exit(1);
		free(blocks[i]);
	}
}

static int recurse(int n)
{
	volatile char frame[4096];
	frame[n % 4096] = n;
	return recurse(n + 1) + frame[n % 4096];
}

static void legal(void)
{
	char *p = malloc(0), *q = calloc(7, 3);
	for (int i = 0; i < 21; i++)
		if (q[i])
			exit(1);
	free(p);
	p = realloc(0, 5);
	p = realloc(p, 0);
	free(p);
	free(0);
	p = aligned_alloc(8192, 100);
	if ((unsigned long)p % 8192)
		exit(1);
	p[99] = 1;
	free(p);
	if (posix_memalign((void **)&p, 64, 10) || (unsigned long)p % 64)
		exit(1);
	char *line = 0;
	size_t size = 0;
	getline(&line, &size, stdin);
	printf("%s", line);
	free(line);
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, 0);
}

int main(int argc, char **argv)
{
	char *p = malloc(10), *q;
	(void)argc;
	signal(SIGSEGV, on_fault);
	if (is("read", argv))
		sink = p[10]; /* read */
	if (is("write", argv))
		p[10] = 1; /* write */
	if (is("underrun", argv))
		p[-1] = 1; /* underrun */
	if (is("copy", argv))
		memcpy(p, "0123456789", 11); /* copy */
	if (is("length", argv)) {
		memset(p, 'x', 10);
		sink = strlen(p); /* length */
	}
	if (is("format", argv)) {
		memset(p, 'x', 10);
		printf("%s\n", p); /* format */
	}
	if (is("system-write", argv))
		write(1, p, 11); /* system-write */
	if (is("stream-write", argv)) {
		fwrite(p, 11, 1, stdout); /* stream-write */
		fflush(stdout);
	}
	if (is("system-read", argv))
		read(open("/dev/zero", O_RDONLY), p, 11); /* system-read */
	if (is("after-free", argv)) {
		free(p);
		sink = p[0]; /* after-free */
	}
	if (is("after-realloc", argv)) {
		q = realloc(p, 20);
		p[3] = q[3]; /* after-realloc */
	}
	if (is("double-free", argv)) {
		free(p);
		free(p); /* double-free */
	}
	if (is("invalid-free", argv))
		free(p + 1); /* invalid-free */
	if (is("free-local", argv))
		free((void *volatile){&p}); /* free-local */
	if (is("argument", argv))
		sink = argv[2][strlen(argv[2]) + 1]; /* argument */
	if (is("variable", argv))
		sink = getenv("VARIABLE")[6]; /* variable */
	if (is("null", argv))
		sink = *(volatile char *)0; /* null */
	if (is("literal", argv))
		*(volatile char *)"abc" = 1; /* literal */
	if (is("divide", argv))
		sink = 10 / (argv[1][0] - 'd'); /* divide */
	if (is("overflow", argv))
		sink = recurse(0);
	if (is("abort", argv))
		abort();
	if (is("raise", argv))
		raise(SIGSEGV);
	if (is("many", argv))
		many_blocks();
	if (is("legal", argv))
		legal();
	if (is("loop", argv))
		for (;;)
			sink++;
	if (is("fill", argv))
		for (;;)
			memset(malloc(1 << 20), 1, 1 << 20);
	if (is("masked", argv)) {
		sigset_t all;
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, 0);
		static char other[SIGSTKSZ];
		stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
		sigaltstack(&stack, 0);
		p[10] = 1; /* masked */
	}
	return 7;
}

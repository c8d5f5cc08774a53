/* Prints every kind of input; behaves as its objects say. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fathom.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/stat.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);

/* The program's own, as competition programs have it. */
void reach_error(void)
{
	assert(0 && "reached");
}

int main(int argc, char **argv)
{
	struct stat stat;
	char line[20] = "", bytes[3];
	FILE *file = fopen("dir/file", "r");
	fgets(line, sizeof line, stdin);
	printf("%d %s %s %s", argc, argv[0], argv[1], line);
	fstat(0, &stat);
	printf("%d %d %d\n", S_ISREG(stat.st_mode), open("/dev/null", 0),
	       socket(AF_INET, SOCK_STREAM, 0));
	execl("/bin/true", "true", NULL);
	printf("%d ", errno == ENOSYS);
	execl("/nowhere", "nowhere", NULL);
	printf("%d\n", errno == ENOENT);
	if (file)
		printf("%c\n", fgetc(file));
	for (char **variable = environ; *variable; variable++)
		puts(*variable);

	klee_make_symbolic(bytes, sizeof bytes, "bytes");
	int first = klee_int("n"), second = klee_int("n");
	printf("%d %d %d n %d %d ", bytes[0], bytes[1], bytes[2], first, second);
	printf("v %d %d %d %d\n", __VERIFIER_nondet_int(), __VERIFIER_nondet_bool(),
	       fathom_is_replay(), klee_is_symbolic(first));
	fflush(stdout);
	klee_assume(first != 99);
	fathom_assume(fathom_range(0, 10, "small") < 5);
	if (second == 1)
		klee_report_error(__FILE__, __LINE__, "one", "user");
	if (second == 2)
		reach_error();
	if (second == 3)
		klee_silent_exit(33);
	klee_check_memory_access(bytes, sizeof bytes);
	return second;
}

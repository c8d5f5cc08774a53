// What the tests have recorded: `probe COMMAND ARGS`.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static char buffer[1 << 16];

static int cat(int fd)
{
	ssize_t n;
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		write(1, buffer, n);
	return n < 0 ? errno : 0;
}

static int cat_files(char **paths)
{
	if (!*paths)
		return cat(0);
	for (; *paths; paths++) {
		int fd = open(*paths, O_RDONLY);
		if (fd < 0)
			return errno;
		cat(fd);
		close(fd);
	}
	return 0;
}

static int look(char **paths)
{
	struct stat status;
	int found = 0;
	for (; *paths; paths++)
		found += stat(*paths, &status) == 0;
	return found;
}

static int list(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	while ((entry = readdir(dir)))
		puts(entry->d_name);
	closedir(dir);
	return 0;
}

/* Writes a file and reads it back. */
static int write_and_read(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	write(fd, text, strlen(text));
	close(fd);
	fd = open(path, O_RDONLY);
	return cat(fd);
}

static int run(char **argv, char **env, int way)
{
	int status;
	pid_t child = 0;
	if (way == 'f' && !(child = fork())) {
		/* The child's own bytes are not the parent's. */
		cat(0);
		execve(argv[0], argv, env);
		_exit(99);
	}
	if (way == 'v' && !(child = vfork())) {
		close(0);
		execve(argv[0], argv, env);
		_exit(99);
	}
	if (way == 's')
		posix_spawn(&child, argv[0], 0, 0, argv, env);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static int close_all(const char *path)
{
	for (int fd = 0; fd < 256; fd++)
		close(fd);
	int first = open(path, O_RDONLY), second = open(path, O_RDONLY);
	read(first, buffer, sizeof buffer);
	return first * 10 + second;
}

static void on_alarm(int signal)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	(void)signal;
}

/* Handlers that make recorded calls, all the time. */
static int alarms(void)
{
	struct itimerval often = {{0, 50}, {0, 50}}, never = {0};
	char byte;
	int n = 0;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, 0);
	for (ssize_t got; (got = read(0, &byte, 1)); n += got > 0)
		;
	setitimer(ITIMER_REAL, &never, 0);
	return n == 20000 ? 0 : 1;
}

static void *read_clock(void *unused)
{
	struct timespec now;
	for (int i = 0; i < 1000; i++)
		clock_gettime(CLOCK_REALTIME, &now);
	return unused;
}

static int threads(void)
{
	pthread_t ids[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], 0, read_clock, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], 0);
	return 0;
}

static void *read_input(void *unused)
{
	cat(0);
	pause();
	return unused;
}

/* The thread has read all, and is cancelled in a call that never ends. */
static int cancel(void)
{
	pthread_t id;
	void *result;
	pthread_create(&id, 0, read_input, 0);
	usleep(100000);
	pthread_cancel(id);
	pthread_join(id, &result);
	return result == PTHREAD_CANCELED ? 0 : 1;
}

static int answers(void)
{
	unsigned char bytes[8];
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	getrandom(bytes, sizeof bytes, 0);
	for (int i = 0; i < 8; i++)
		printf("%02x", bytes[i]);
	printf(" %ld.%09ld %d\n", now.tv_sec, now.tv_nsec, getppid());
	return 0;
}

/* Wrong pointers are the kernel's to find. */
static int wrong_pointers(void)
{
	struct stat status;
	int n = 0;
	n += syscall(SYS_open, (char *)1, O_RDONLY) < 0 && errno == EFAULT;
	n += syscall(SYS_stat, (char *)1, &status) < 0 && errno == EFAULT;
	n += syscall(SYS_write, 1, (char *)1, 5L) < 0 && errno == EFAULT;
	n += syscall(SYS_read, 0, (char *)1, 5L) < 0 && errno == EFAULT;
	n += syscall(SYS_clock_gettime, 0, (char *)1) < 0 && errno == EFAULT;
	return n;
}

/* A lock lasts until a descriptor of its file is closed, any of them: another process sees it. */
static int locks(const char *path)
{
	struct flock lock = {.l_type = F_RDLCK}, other = {.l_type = F_WRLCK};
	int status, first = open(path, O_RDONLY);
	fcntl(first, F_SETLK, &lock);
	open(path, O_RDONLY);
	open(path, O_WRONLY);
	if (!fork()) {
		fcntl(first, F_GETLK, &other);
		_exit(other.l_type == F_UNLCK);
	}
	wait(&status);
	return WEXITSTATUS(status);
}

static int limits(void)
{
	struct rlimit size, files;
	getrlimit(RLIMIT_FSIZE, &size);
	getrlimit(RLIMIT_NOFILE, &files);
	printf("%ld %ld %ld %ld\n", size.rlim_cur, size.rlim_max, files.rlim_cur, files.rlim_max);
	return 0;
}

static void print_status(int child)
{
	int status;
	waitpid(child, &status, 0);
	printf(" %d ", WEXITSTATUS(status));
}

/* By popen, fork and vfork; and a pipe to which the program writes itself, too. */
static int children(void)
{
	char text[20] = "";
	int fds[2];
	FILE *stream = popen("printf spawned; exit 3", "r");
	fputs(fgets(text, sizeof text, stream), stdout);
	printf(" %d ", WEXITSTATUS(pclose(stream)));
	pipe(fds);
	write(fds[1], "own ", 4);
	read(fds[0], text, 4);
	printf("%.4s", text);
	fflush(stdout);
	int child = fork();
	if (!child)
		_exit(write(fds[1], "forked", 6) == 6 ? 4 : 1);
	read(fds[0], text, 6);
	printf("%.6s", text);
	print_status(child);
	fflush(stdout);
	child = vfork();
	if (!child)
		_exit(5);
	printf("vforked");
	print_status(child);
	return 0;
}

/* Descriptor 1 becomes a file; what it was is written to by other ones. */
static int print_elsewhere(const char *path)
{
	int copy = dup(1);
	close(1);
	if (open(path, O_WRONLY | O_CREAT, 0600) != 1)
		return 1;
	write(1, "file", 4);
	write(copy, "one ", 4);
	dup2(copy, 1);
	int again = open("/dev/stdout", O_WRONLY | O_APPEND);
	write(again, "two ", 4);
	write(1, "three", 5);
	return 0;
}

int main(int argc, char **argv)
{
	static char *none[] = {0};
	const char *command = argv[1];
	char **rest = argv + 2;
	if (!strcmp(command, "cat"))
		return cat_files(rest);
	if (!strcmp(command, "look"))
		return look(rest);
	if (!strcmp(command, "list"))
		return list(*rest);
	if (!strcmp(command, "write"))
		return write_and_read(rest[0], rest[1]);
	if (!strcmp(command, "run"))
		return run(rest + 1, environ, **rest);
	if (!strcmp(command, "run-clear"))
		return run(rest + 1, none, **rest);
	if (!strcmp(command, "close-all"))
		return close_all(*rest);
	if (!strcmp(command, "alarms"))
		return alarms();
	if (!strcmp(command, "threads"))
		return threads();
	if (!strcmp(command, "cancel"))
		return cancel();
	if (!strcmp(command, "answers"))
		return answers();
	if (!strcmp(command, "wrong-pointers"))
		return wrong_pointers();
	if (!strcmp(command, "limits"))
		return limits();
	if (!strcmp(command, "locks"))
		return locks(*rest);
	if (!strcmp(command, "children"))
		return children();
	if (!strcmp(command, "print-elsewhere"))
		return print_elsewhere(*rest);
	if (!strcmp(command, "environment"))
		return getenv("FATHOM_RECORD") != 0;
	if (!strcmp(command, "cat-and-die")) {
		cat_files(rest);
		raise(SIGKILL);
	}
	return 100;
}

/* Recording: whether to record, and which part of it each system call concerns. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include "hook.h"
#include "record.h"

enum subject { NONE, PATH, OPEN, READ, WRITE, SPLICE, DESCRIPTOR, ANSWER, EXEC, FORK, SIGNAL, EXIT };

static const unsigned char subjects[] = {
	[SYS_stat] = PATH, [SYS_lstat] = PATH, [SYS_newfstatat] = PATH, [SYS_statx] = PATH,
	[SYS_access] = PATH, [SYS_faccessat] = PATH, [SYS_faccessat2] = PATH,
	[SYS_readlink] = PATH, [SYS_readlinkat] = PATH, [SYS_chdir] = PATH, [SYS_statfs] = PATH,
	[SYS_truncate] = PATH, [SYS_chmod] = PATH, [SYS_fchmodat] = PATH, [SYS_chown] = PATH,
	[SYS_lchown] = PATH, [SYS_fchownat] = PATH, [SYS_utimensat] = PATH, [SYS_mkdir] = PATH,
	[SYS_mkdirat] = PATH, [SYS_mknod] = PATH, [SYS_mknodat] = PATH, [SYS_rmdir] = PATH,
	[SYS_unlink] = PATH, [SYS_unlinkat] = PATH, [SYS_symlink] = PATH, [SYS_symlinkat] = PATH,
	[SYS_link] = PATH, [SYS_linkat] = PATH, [SYS_rename] = PATH, [SYS_renameat] = PATH,
	[SYS_renameat2] = PATH,
	[SYS_open] = OPEN, [SYS_openat] = OPEN, [SYS_creat] = OPEN,
	[SYS_read] = READ, [SYS_pread64] = READ, [SYS_readv] = READ, [SYS_preadv] = READ,
	[SYS_preadv2] = READ, [SYS_recvfrom] = READ, [SYS_recvmsg] = READ, [SYS_getdents64] = READ,
	[SYS_write] = WRITE, [SYS_pwrite64] = WRITE, [SYS_writev] = WRITE, [SYS_pwritev] = WRITE,
	[SYS_sendfile] = WRITE, [SYS_copy_file_range] = WRITE, [SYS_splice] = SPLICE,
	[SYS_close] = DESCRIPTOR, [SYS_close_range] = DESCRIPTOR, [SYS_fcntl] = DESCRIPTOR,
	[SYS_dup] = DESCRIPTOR, [SYS_dup2] = DESCRIPTOR, [SYS_dup3] = DESCRIPTOR,
	[SYS_pipe] = DESCRIPTOR, [SYS_pipe2] = DESCRIPTOR,
	[SYS_socket] = DESCRIPTOR, [SYS_accept] = DESCRIPTOR, [SYS_accept4] = DESCRIPTOR,
	[SYS_clock_gettime] = ANSWER, [SYS_clock_getres] = ANSWER, [SYS_gettimeofday] = ANSWER,
	[SYS_time] = ANSWER, [SYS_times] = ANSWER, [SYS_getrusage] = ANSWER, [SYS_getitimer] = ANSWER,
	[SYS_getpid] = ANSWER, [SYS_getppid] = ANSWER, [SYS_gettid] = ANSWER, [SYS_getuid] = ANSWER,
	[SYS_geteuid] = ANSWER, [SYS_getgid] = ANSWER, [SYS_getegid] = ANSWER, [SYS_getpgrp] = ANSWER,
	[SYS_getpgid] = ANSWER, [SYS_getsid] = ANSWER, [SYS_getresuid] = ANSWER,
	[SYS_getresgid] = ANSWER, [SYS_getgroups] = ANSWER, [SYS_getpriority] = ANSWER,
	[SYS_sched_getaffinity] = ANSWER, [SYS_sched_getscheduler] = ANSWER, [SYS_uname] = ANSWER,
	[SYS_sysinfo] = ANSWER, [SYS_getrandom] = ANSWER, [SYS_getrlimit] = ANSWER,
	[SYS_prlimit64] = ANSWER, [SYS_ioctl] = ANSWER, [SYS_getsockopt] = ANSWER,
	[SYS_getsockname] = ANSWER, [SYS_getpeername] = ANSWER, [SYS_fstatfs] = ANSWER,
	[SYS_wait4] = ANSWER, [SYS_poll] = ANSWER, [SYS_kill] = ANSWER,
	[SYS_execve] = EXEC, [SYS_execveat] = EXEC, [SYS_fork] = FORK,
	[SYS_rt_sigaction] = SIGNAL, [SYS_exit_group] = EXIT,
};

/* The kernel would move bytes that nobody sees: the program has to read and write them. */
static long splice_call(const struct call *call)
{
	uint32_t source = __fathom_record_source((int)call->args[0]);
	if (source && !(source & (OWN_PIPE | RANDOM)))
		return -EINVAL;
	long result = make(call);
	struct turn turn;
	if (source && result > 0 && __fathom_record_enter(&turn)) {
		__fathom_record_note("bytes that were spliced from a pipe are not here", "");
		__fathom_record_leave(&turn);
	}
	__fathom_record_after_write(call, result);
	return result;
}

void __fathom_record_child(long child)
{
	uint32_t pid = child;
	struct part part = {&pid, sizeof pid};
	struct turn turn;
	if (child > 0 && __fathom_record_enter(&turn)) {
		__fathom_record_frame(FRAME_FORK, &part, 1);
		__fathom_record_leave(&turn);
	}
}

static long fork_call(const struct call *call)
{
	long result = make(call);
	__fathom_record_child(result);
	return result;
}

static long exit_call(const struct call *call)
{
	int32_t status = call->args[0];
	struct part part = {&status, sizeof status};
	struct turn turn;
	/* Nothing follows: the turn is never given back. */
	if (__fathom_record_enter(&turn))
		__fathom_record_frame(FRAME_EXIT, &part, 1);
	return make(call);
}

static long signal_call(const struct call *call)
{
	/* Before the call: the handler may run at once. */
	if (call->args[1])
		__fathom_record_handler_set();
	return make(call);
}

long __fathom_record_call(const struct call *call)
{
	long n = call->number, result;
	enum subject subject = n < 0 || n >= (long)sizeof subjects ? NONE : subjects[n];
	switch (subject) {
	case PATH:
		result = __fathom_record_path_call(call);
		if (call->number == SYS_statfs)
			__fathom_record_answer(call, result);
		return result;
	case OPEN:
		return __fathom_record_open_call(call);
	case SPLICE:
		return splice_call(call);
	case EXEC:
		return __fathom_record_exec_call(call);
	case FORK:
		return fork_call(call);
	case SIGNAL:
		return signal_call(call);
	case EXIT:
		return exit_call(call);
	}
	result = make(call);
	switch (subject) {
	case READ:
		__fathom_record_after_read(call, result);
		break;
	case WRITE:
		__fathom_record_after_write(call, result);
		break;
	case DESCRIPTOR:
		__fathom_record_after_descriptor_call(call, result);
		break;
	case ANSWER:
		__fathom_record_answer(call, result);
		break;
	}
	return result;
}

static long sys_call(long n, long a, long b, long c, long d, long e, long f)
{
	struct call call = {n, {a, b, c, d, e, f}};
	return __fathom_record_call(&call);
}

int __fathom_record_is_on(void)
{
	return __fathom_hook == sys_call;
}

/* An entry of the auxiliary vector, which is behind the environment. */
static size_t auxiliary(char **env, size_t type)
{
	while (*env)
		env++;
	for (size_t *aux = (size_t *)(env + 1); aux[0] != AT_NULL; aux += 2)
		if (aux[0] == type)
			return aux[1];
	return 0;
}

static const char *program_path(char **env)
{
	static char path[MAX_NAME];
	long length = sys(SYS_readlink, "/proc/self/exe", path, sizeof path - 1);
	return length > 0 ? path : (char *)auxiliary(env, AT_EXECFN);
}

/* Of a marker file, if whoever made it may tell this process to write files; the length. */
static long read_marker(const char *path, char *text, size_t size)
{
	static struct stat status;
	long fd = __fathom_record_file(AT_FDCWD, path, O_RDONLY), length = 0;
	if (fd < 0)
		return 0;
	if (sys(SYS_fstat, fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    (status.st_uid == 0 || status.st_uid == (uid_t)sys(SYS_geteuid)))
		length = sys(SYS_read, fd, text, size);
	sys(SYS_close, fd);
	return length;
}

/* What the marker file at a path says, if the process that wants the recording lives. */
static const char *marked(const char *path)
{
	static char text[MAX_NAME];
	long length = read_marker(path, text, sizeof text - 1);
	char *directory = text, *end = text + (length > 0 ? length : 0);
	long process = 0;
	*end = 0;
	for (; *directory >= '0' && *directory <= '9'; directory++)
		process = process * 10 + (*directory - '0');
	if (*directory++ != ' ' || end[-1] != '\n' || !process || sys(SYS_kill, process, 0) == -ESRCH)
		return 0;
	end[-1] = 0;
	return directory;
}

/* What the nearest of them says, beside the program or above. */
static const char *marked_directory(const char *program)
{
	static char path[MAX_NAME + 32];
	const char *slash = strrchr(program, '/'), *directory = 0;
	if (!slash || slash - program >= MAX_NAME)
		return 0;
	memcpy(path, program, slash - program);
	for (char *end = path + (slash - program); end && !directory; end = strrchr(path, '/')) {
		__fathom_record_add(end, "/.fathom-record");
		directory = marked(path);
		*end = 0;
	}
	return directory;
}

void __fathom_record_start(const char *directory, int argc, char **argv)
{
	char **env = argv + argc + 1;
	const char *program = program_path(env);
	/* A program with rights that its caller lacks writes no files at the caller's wish. */
	if (!program || auxiliary(env, AT_SECURE))
		return;
	if (!directory)
		directory = marked_directory(program);
	if (!directory || *directory != '/' || strlen(directory) > MAX_NAME / 2)
		return;
	/* Even if this process cannot be recorded, those that it starts may be. */
	__fathom_record_pass_on(directory);
	__fathom_hook = sys_call;
	if (__fathom_record_open(directory))
		__fathom_record_beginning(program, argc, argv);
}

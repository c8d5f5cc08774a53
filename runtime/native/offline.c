/* Replay without network, other programs and other processes: filters in the kernel refuse sockets as
 * a machine without the protocol does, and as fathom's engine does; what a test would have the program
 * execute, which nobody has looked at; and the processes and threads that the engine refuses, too. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "raw_sys_call.h"
#include "start.h"

#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, n)

/* Calls that are not those of this processor's programs are refused as the second one is. */
static void refuse(long first, int first_error, long second, int second_error)
{
	struct sock_filter filter[] = {
		LOAD(arch),
		SKIP_UNLESS(AUDIT_ARCH_X86_64, 4),
		LOAD(nr),
		SKIP_UNLESS(first, 1),
		REFUSE(first_error),
		SKIP_UNLESS(second, 1),
		REFUSE(second_error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	raw_sys_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
	/* Where the kernel has no filters, there is nothing more to be done. */
	raw_sys_call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program, 0, 0, 0);
}

void __fathom_go_offline(void)
{
	/* The second is another way to sockets. */
	refuse(SYS_socket, EAFNOSUPPORT, SYS_io_uring_setup, ENOSYS);
}

static int is_alone;

void __fathom_go_alone(void)
{
	is_alone = 1;
	refuse(SYS_execve, ENOSYS, SYS_execveat, ENOSYS);
}

void __fathom_go_childless(void)
{
	refuse(SYS_fork, ENOSYS, SYS_vfork, ENOSYS);
	refuse(SYS_clone, ENOSYS, SYS_clone3, ENOSYS);
}

int __fathom_is_refused(long n, long a, long b, long *result)
{
	struct stat status;
	if (!is_alone || (n != SYS_execve && n != SYS_execveat))
		return 0;
	long directory = n == SYS_execve ? AT_FDCWD : a, path = n == SYS_execve ? a : b;
	*result = raw_sys_call(SYS_newfstatat, directory, path, (long)&status, 0, 0, 0);
	if (*result == 0 && !S_ISREG(status.st_mode))
		*result = -EACCES;
	if (*result == 0)
		*result = raw_sys_call(SYS_faccessat, directory, path, X_OK, 0, 0, 0);
	if (*result == 0)
		*result = -ENOSYS;
	return 1;
}

long __fathom_alone_sys_call(long n, long a, long b, long c, long d, long e, long f)
{
	long result;
	return __fathom_is_refused(n, a, b, &result) ? result : raw_sys_call(n, a, b, c, d, e, f);
}

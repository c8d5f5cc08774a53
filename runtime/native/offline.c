/* Replay without network: a filter in the kernel refuses sockets as a machine without the protocol
 * does, and as fathom's engine does. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "raw_sys_call.h"
#include "start.h"

#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, n)

void __fathom_go_offline(void)
{
	static struct sock_filter filter[] = {
		LOAD(arch),
		SKIP_UNLESS(AUDIT_ARCH_X86_64, 4),
		LOAD(nr),
		SKIP_UNLESS(SYS_socket, 1),
		REFUSE(EAFNOSUPPORT),
		/* Another way to sockets. */
		SKIP_UNLESS(SYS_io_uring_setup, 1),
		REFUSE(ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	static struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	raw_sys_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
	/* Where the kernel has no filters, there is nothing more to be done. */
	raw_sys_call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program, 0, 0, 0);
}

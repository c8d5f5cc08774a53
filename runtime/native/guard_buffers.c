/* Guard mode: buffers given to the kernel, which stops at an inaccessible page without a fault. The
 * program gets the fault that an access of its own would have caused. */
#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include "guard.h"
#include "raw_sys_call.h"
#include "start.h"

#define PAGE 4096UL

static void touch(const void *bytes, size_t size)
{
	const volatile char *byte = bytes;
	for (size_t i = 0; i < size; i += PAGE)
		(void)byte[i];
	if (size)
		(void)byte[size - 1];
}

static void before(long n, long b, long c)
{
	const struct iovec *vector = (void *)b;
	switch (n) {
	case SYS_write:
	case SYS_pwrite64:
	case SYS_sendto:
		touch((void *)b, c);
		break;
	case SYS_writev:
		for (long i = 0; i < c; i++)
			touch(vector[i].iov_base, vector[i].iov_len);
		break;
	}
}

static int is_inaccessible(uintptr_t address)
{
	const struct block *block = __fathom_guard_block(address);
	return block && (block->state == BLOCK_FREED || address >= block->page + block->pages * PAGE);
}

/* A read that ended where the buffer's block does: was there more to read? */
static void after_short_read(long fd, volatile char *next)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	char more;
	if (raw_sys_call(SYS_poll, (long)&ready, 1, 0, 0, 0, 0) == 1 &&
	    raw_sys_call(SYS_read, fd, (long)&more, 1, 0, 0, 0) == 1)
		*next = more;
}

static void after(long n, long a, long b, long c, long result)
{
	if (result == -EFAULT)
		__fathom_guard_misuse("kernel-fault", b);
	if (n == SYS_read && result > 0 && result < c && is_inaccessible(b + result))
		after_short_read(a, (char *)b + result);
}

long __fathom_guard_sys_call(long n, long a, long b, long c, long d, long e, long f)
{
	long result;
	if (__fathom_guard_signal_call(n, a, b, c, &result) || __fathom_is_refused(n, a, b, &result))
		return result;
	before(n, b, c);
	result = raw_sys_call(n, a, b, c, d, e, f);
	after(n, a, b, c, result);
	return result;
}

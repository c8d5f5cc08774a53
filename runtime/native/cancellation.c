/* Calls at which a thread can be cancelled, in programs that cancel threads: musl makes them by an
 * instruction of its own. The recording has its part in them, too. */
#include "record.h"

long __syscall_cp_asm(volatile void *, long, long, long, long, long, long, long);

static long make_cancellable(const struct call *call)
{
	const long *args = call->args;
	return __syscall_cp_asm(call->cancel, call->number, args[0], args[1], args[2], args[3], args[4],
		args[5]);
}

/* In place of __syscall_cp_asm in musl's pthread_cancel.c. */
long __fathom_cancellable_call(volatile void *cancel, long n, long a, long b, long c, long d, long e,
	long f)
{
	struct call call = {n, {a, b, c, d, e, f}, cancel, make_cancellable};
	return __fathom_record_is_on() ? __fathom_record_call(&call) : make_cancellable(&call);
}

/* musl's reads six variadic arguments whether the caller passed them or not. Callers may pass
   fewer to this one too: the engine fills in zeros. */
#include "syscall.h"

#undef syscall

long syscall(long n, long a, long b, long c, long d, long e, long f)
{
	return __syscall_ret(__sys_call(n, a, b, c, d, e, f));
}

/* Native programs: the one function through which musl's C code enters the kernel. */
#include "guard.h"
#include "raw_sys_call.h"

static long guarded_sys_call(long n, long a, long b, long c, long d, long e, long f)
{
	long result;
	if (__fathom_guard_sys_call(n, a, b, c, &result))
		return result;
	__fathom_guard_before(n, a, b, c);
	result = raw_sys_call(n, a, b, c, d, e, f);
	__fathom_guard_after(n, a, b, c, result);
	return result;
}

long __sys_call(long n, long a, long b, long c, long d, long e, long f)
{
	if (__builtin_expect(__fathom_guard != GUARD_OFF, 0))
		return guarded_sys_call(n, a, b, c, d, e, f);
	return raw_sys_call(n, a, b, c, d, e, f);
}

/* Native programs: the one function through which musl's C code enters the kernel. */
#include "hook.h"
#include "raw_sys_call.h"

sys_call_hook *__fathom_hook;

long __sys_call(long n, long a, long b, long c, long d, long e, long f)
{
	if (__builtin_expect(__fathom_hook != 0, 0))
		return __fathom_hook(n, a, b, c, d, e, f);
	return raw_sys_call(n, a, b, c, d, e, f);
}

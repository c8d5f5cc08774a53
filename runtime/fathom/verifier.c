/* Native bodies of the functions that verification competitions use. The value of
 * __VERIFIER_nondet_int is an object named nondet_int. */
#include <stdint.h>
#include <stdlib.h>
#include "inputs.h"

#define NONDET(suffix, type) \
	type __VERIFIER_nondet_##suffix(void) \
	{ \
		type value; \
		__fathom_next_object(&value, sizeof value, "nondet_" #suffix); \
		return value; \
	}

/* A bool's byte is 0 or 1 in every test of ours. */
#define NONDET_BOOL(suffix) \
	_Bool __VERIFIER_nondet_##suffix(void) \
	{ \
		unsigned char value; \
		__fathom_next_object(&value, sizeof value, "nondet_" #suffix); \
		return value & 1; \
	}

NONDET_BOOL(bool)
NONDET_BOOL(_Bool)
NONDET(char, char)
NONDET(schar, signed char)
NONDET(S8, signed char)
NONDET(uchar, unsigned char)
NONDET(U8, unsigned char)
NONDET(short, short)
NONDET(S16, short)
NONDET(ushort, unsigned short)
NONDET(U16, unsigned short)
NONDET(unsigned_short, unsigned short)
NONDET(int, int)
NONDET(S32, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(U32, unsigned)
NONDET(u32, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, size_t)
NONDET(loff_t, int64_t)
NONDET(sector_t, unsigned long)
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(pchar, char *)

void __VERIFIER_assume(int condition)
{
	if (!condition)
		__fathom_assumption_failed();
}

void __VERIFIER_error(void)
{
	__fathom_say("__VERIFIER_error was called", 0);
	abort();
}

void reach_error(void)
{
	__fathom_say("reach_error was called", 0);
	abort();
}

/* Native bodies of the functions that verification competitions use. Each value is an object named
 * after the function. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include "inputs.h"

#define NONDET(suffix, type) \
	type __VERIFIER_nondet_##suffix(void) \
	{ \
		type value; \
		__fathom_next_object(&value, sizeof value, "__VERIFIER_nondet_" #suffix); \
		return value; \
	}

/* The high bits of a bool's byte mean nothing, but must not be set. */
_Bool __VERIFIER_nondet_bool(void)
{
	unsigned char value;
	__fathom_next_object(&value, sizeof value, "__VERIFIER_nondet_bool");
	return value & 1;
}

NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(pchar, char *)
NONDET(size_t, size_t)
NONDET(loff_t, int64_t)
NONDET(off_t, off_t)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)

void __VERIFIER_nondet_memory(void *object, size_t size)
{
	__fathom_next_object(object, size, "__VERIFIER_nondet_memory");
}

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

void __VERIFIER_assert(int condition)
{
	if (!condition)
		__VERIFIER_error();
}

void reach_error(void)
{
	__fathom_say("reach_error was called", 0);
	abort();
}

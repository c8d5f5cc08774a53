/* Shadows the compiler's <cpuid.h>: its constants, but a processor without extensions, since its
   functions are inline assembly. */
#ifndef FATHOM_CPUID_H
#define FATHOM_CPUID_H

#define __get_cpuid_max __compiler_get_cpuid_max
#define __get_cpuid __compiler_get_cpuid
#define __get_cpuid_count __compiler_get_cpuid_count
#include_next <cpuid.h>
#undef __get_cpuid_max
#undef __get_cpuid
#undef __get_cpuid_count

#undef __cpuid
#undef __cpuid_count
#define __cpuid(level, a, b, c, d) ((void)(level), (a) = (b) = (c) = (d) = 0)
#define __cpuid_count(level, count, a, b, c, d) \
	((void)(level), (void)(count), (a) = (b) = (c) = (d) = 0)

static __inline unsigned __get_cpuid_max(unsigned level, unsigned *signature)
{
	(void)level;
	if (signature)
		*signature = 0;
	return 0;
}

static __inline int __get_cpuid(unsigned level, unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
	(void)level, (void)a, (void)b, (void)c, (void)d;
	return 0;
}

static __inline int __get_cpuid_count(unsigned level, unsigned count,
	unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
	(void)level, (void)count, (void)a, (void)b, (void)c, (void)d;
	return 0;
}

#endif

/* Shadows the compiler's <cpuid.h>, whose macros are inline assembly: a processor without extensions. */
#ifndef FATHOM_CPUID_H
#define FATHOM_CPUID_H

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

/* Bitcode build: musl's internal names of the allocator, whose public names the engine implements. */
#include <stdlib.h>

void *__libc_malloc(size_t size)
{
	return malloc(size);
}

void *__libc_calloc(size_t n, size_t size)
{
	return calloc(n, size);
}

void *__libc_realloc(void *p, size_t size)
{
	return realloc(p, size);
}

void __libc_free(void *p)
{
	free(p);
}

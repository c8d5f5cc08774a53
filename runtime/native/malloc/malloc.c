/* malloc: musl's own, or guard mode's. One file a function, so that a program can bring its own. */
#include <stdlib.h>
#include "../guard.h"

void *malloc(size_t size)
{
	if (__fathom_guard)
		return __fathom_guard_malloc(size, 1, BLOCK_HEAP);
	return __libc_malloc(size);
}

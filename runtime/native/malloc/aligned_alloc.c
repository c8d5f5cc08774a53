/* aligned_alloc: musl's own, or guard mode's. */
#include <errno.h>
#include <stdlib.h>
#include "../guard.h"

void *__libc_aligned_alloc(size_t alignment, size_t size);

void *aligned_alloc(size_t alignment, size_t size)
{
	if (!__fathom_guard)
		return __libc_aligned_alloc(alignment, size);
	if (!alignment || (alignment & (alignment - 1))) {
		errno = EINVAL;
		return 0;
	}
	return __fathom_guard_malloc(size, alignment, BLOCK_HEAP);
}

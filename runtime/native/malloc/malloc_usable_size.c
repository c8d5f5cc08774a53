/* malloc_usable_size: musl's own, or the exact size of guard mode's block. */
#include <stdlib.h>
#include "../guard.h"

size_t __libc_malloc_usable_size(void *p);

size_t malloc_usable_size(void *p)
{
	const struct block *block = __fathom_guard ? __fathom_guard_block((uintptr_t)p) : 0;
	return block && block->address == (uintptr_t)p ? block->size : __libc_malloc_usable_size(p);
}

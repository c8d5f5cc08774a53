/* realloc: musl's own, or guard mode's. */
#include <stdlib.h>
#include "../guard.h"

void *realloc(void *p, size_t size)
{
	if (__fathom_guard)
		return __fathom_guard_realloc(p, size);
	return __libc_realloc(p, size);
}

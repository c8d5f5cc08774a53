/* free: musl's own, or guard mode's. */
#include <stdlib.h>
#include "../guard.h"

void free(void *p)
{
	if (__fathom_guard)
		__fathom_guard_free(p);
	else
		__libc_free(p);
}

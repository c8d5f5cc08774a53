/* Processes that posix_spawn makes, and with it system and popen. */
#include "record.h"

int __clone(int (*)(void *), void *, int, void *, ...);

/* In place of __clone in musl's posix_spawn.c. */
int __fathom_spawn(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	int result = __clone(function, stack, flags, argument);
	if (__fathom_record_is_on())
		__fathom_record_child(result);
	return result;
}

/* Replay of symbolic objects by a native program. */
#ifndef FATHOM_INPUTS_H
#define FATHOM_INPUTS_H

#include <stddef.h>

/* The next object of that name in the test, or zeros; a shorter one is filled up with zeros. */
void __fathom_next_object(void *object, size_t size, const char *name);
/* Ends the program: the test does not meet an assumption. */
_Noreturn void __fathom_assumption_failed(void);
/* Writes "fathom: PREFIX MESSAGE" to standard error. */
void __fathom_say(const char *prefix, const char *message);
_Noreturn void __fathom_report_error(const char *file, int line, const char *message,
	const char *kind);
/* Is a test being replayed? */
int __fathom_replaying(void);

#endif

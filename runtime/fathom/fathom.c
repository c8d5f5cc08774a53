/* Native bodies of fathom.h. */
#include "fathom.h"
#include <stdlib.h>
#include "../native/guard.h"
#include "inputs.h"

void fathom_make_symbolic(void *object, size_t size, const char *name)
{
	__fathom_next_object(object, size, name);
}

int fathom_int(const char *name)
{
	int value;
	__fathom_next_object(&value, sizeof value, name);
	return value;
}

int fathom_range(int begin, int end, const char *name)
{
	int value = fathom_int(name);
	if (value < begin || value >= end)
		__fathom_assumption_failed();
	return value;
}

void fathom_assume(uintptr_t condition)
{
	if (!condition)
		__fathom_assumption_failed();
}

void fathom_prefer(uintptr_t condition)
{
	(void)condition;
}

void fathom_report_error(const char *file, int line, const char *message, const char *kind)
{
	__fathom_report_error(file, line, message, kind);
}

void fathom_silent_exit(int status)
{
	exit(status);
}

unsigned fathom_is_symbolic(uintptr_t value)
{
	(void)value;
	return 0;
}

unsigned fathom_is_replay(void)
{
	return 1;
}

uint64_t fathom_value(uint64_t value)
{
	return value;
}

size_t fathom_object_size(const void *pointer)
{
	uintptr_t address = (uintptr_t)pointer;
	const struct block *block = __fathom_guard ? __fathom_guard_block(address) : 0;
	return block && address - block->address <= block->size ? block->size : 0;
}

void fathom_check_access(const void *pointer, size_t size)
{
	const volatile unsigned char *bytes = pointer;
	for (size_t i = 0; i < size; i++)
		(void)bytes[i];
}

void fathom_print(const char *message, ...)
{
	__fathom_say("", message);
}

void fathom_warning(const char *message)
{
	__fathom_say("warning: ", message);
}

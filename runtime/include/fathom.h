/* What a program can tell fathom. The same program runs natively: there the values of symbolic
 * objects come from a test (`fathom replay`), and are zero without one. */
#ifndef FATHOM_H
#define FATHOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `size` bytes from `object` on symbolic. Without a name the object is called "unnamed". */
void fathom_make_symbolic(void *object, size_t size, const char *name);

/* A symbolic int; fathom_range: one with begin <= value < end. */
int fathom_int(const char *name);
int fathom_range(int begin, int end, const char *name);

/* Only paths on which the condition holds go on. In a native run a false one ends the program with
 * status 99. */
void fathom_assume(uintptr_t condition);

/* Test cases meet the condition where they can. */
void fathom_prefer(uintptr_t condition);

/* An assertion that NDEBUG does not remove. */
#define fathom_assert(condition) \
	((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
__attribute__((noreturn)) void __assert_fail(const char *, const char *, int, const char *);

/* Reports a defect of the program's own kind and ends the path. */
__attribute__((noreturn)) void fathom_report_error(const char *file, int line,
	const char *message, const char *kind);

/* Ends the path without a test case. */
__attribute__((noreturn)) void fathom_silent_exit(int status);

/* Does the value depend on symbolic input on this path? Always 0 in a native run. */
unsigned fathom_is_symbolic(uintptr_t value);

/* 1 in a native run, 0 in the engine. */
unsigned fathom_is_replay(void);

/* One possible value; the path goes on with that value alone. */
uint64_t fathom_value(uint64_t value);

/* The size of the object the pointer points into. In a native run known only in guard mode, for
 * heap blocks and argument strings; 0 otherwise. */
size_t fathom_object_size(const void *pointer);

/* A defect unless all these bytes may be read. */
void fathom_check_access(const void *pointer, size_t size);

/* Prints the message and, in the engine, the expressions behind the values that follow. */
void fathom_print(const char *message, ...);
void fathom_warning(const char *message);

#ifdef __cplusplus
}
#endif

#endif

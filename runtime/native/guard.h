/* Guard mode: FATHOM_GUARD in the environment makes memory errors fault where they happen.
 * docs/REPLAY.md describes the variables and the report. */
#ifndef FATHOM_GUARD_H
#define FATHOM_GUARD_H

#include <stddef.h>
#include <stdint.h>

enum guard {
	GUARD_OFF,
	/* The last byte of each block is the last of its page: overruns fault. */
	GUARD_END,
	/* The first byte of each block is the first of its page: underruns fault. */
	GUARD_START,
	/* As GUARD_END, but on 16 bytes: up to 15 bytes behind a block stay accessible. */
	GUARD_ALIGNED,
};

enum block_state { BLOCK_LIVE, BLOCK_FREED };
enum block_kind { BLOCK_HEAP, BLOCK_ARGUMENT, BLOCK_ENVIRONMENT };

struct block {
	uintptr_t address;
	size_t size;
	/* The block's own pages; inaccessible ones follow. */
	uintptr_t page;
	unsigned pages;
	unsigned char state, kind;
};

extern enum guard __fathom_guard;

/* guard_alloc.c. A size of 0 gives an address of its own where nothing is accessible. */
void *__fathom_guard_malloc(size_t size, size_t alignment, enum block_kind kind);
void *__fathom_guard_realloc(void *p, size_t size);
void __fathom_guard_free(void *p);
/* The block that holds the address or stands nearest below it, null if none does. */
const struct block *__fathom_guard_block(uintptr_t address);

/* guard_fault.c */
void __fathom_guard_install(void);
/* Answers the calls that would take the fault signals away from us. */
int __fathom_guard_signal_call(long n, long a, long b, long c, long *result);
/* Reports a misuse of the allocator or the kernel, and ends the program with SIGABRT. */
_Noreturn void __fathom_guard_misuse(const char *what, uintptr_t address);

/* guard_buffers.c: every call in guard mode. */
long __fathom_guard_sys_call(long n, long a, long b, long c, long d, long e, long f);

/* guard_report.c: one line of the report, built piece by piece, then written. */
struct line {
	char text[1024];
	size_t length;
};
void __fathom_report_to(const char *path, const char *descriptor);
void __fathom_line_text(struct line *line, const char *text);
void __fathom_line_string(struct line *line, const char *key, const char *value);
void __fathom_line_number(struct line *line, const char *key, uintptr_t value);
/* Appends the line, and behind it `bytes` as far as they are readable. */
void __fathom_line_write(struct line *line, const void *bytes, size_t size);

#endif

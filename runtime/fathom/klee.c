/* Native bodies of klee/klee.h. */
#include <errno.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "fathom.h"
#include "inputs.h"

#define PAGE 4096UL

void klee_make_symbolic(void *addr, size_t nbytes, const char *name)
{
	fathom_make_symbolic(addr, nbytes, name);
}

int klee_int(const char *name)
{
	return fathom_int(name);
}

int klee_range(int begin, int end, const char *name)
{
	return fathom_range(begin, end, name);
}

uintptr_t klee_choose(uintptr_t n)
{
	uintptr_t value;
	__fathom_next_object(&value, sizeof value, "choose");
	fathom_assume(value < n);
	return value;
}

void klee_assume(uintptr_t condition)
{
	fathom_assume(condition);
}

void klee_prefer_cex(void *object, uintptr_t condition)
{
	(void)object, (void)condition;
}

void klee_posix_prefer_cex(void *object, uintptr_t condition)
{
	(void)object, (void)condition;
}

void klee_silent_exit(int status)
{
	exit(status);
}

void klee_abort(void)
{
	abort();
}

void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
	__fathom_report_error(file, line, message, suffix);
}

unsigned klee_is_symbolic(uintptr_t n)
{
	return fathom_is_symbolic(n);
}

unsigned klee_is_replay(void)
{
	return 1;
}

size_t klee_get_obj_size(void *ptr)
{
	return fathom_object_size(ptr);
}

int klee_get_errno(void)
{
	return errno;
}

float klee_get_valuef(float expr)
{
	return expr;
}

double klee_get_valued(double expr)
{
	return expr;
}

long klee_get_valuel(long expr)
{
	return expr;
}

long long klee_get_valuell(long long expr)
{
	return expr;
}

int32_t klee_get_value_i32(int32_t expr)
{
	return expr;
}

int64_t klee_get_value_i64(int64_t expr)
{
	return expr;
}

void klee_check_memory_access(const void *address, size_t size)
{
	fathom_check_access(address, size);
}

void klee_define_fixed_object(void *addr, size_t nbytes)
{
	uintptr_t start = (uintptr_t)addr & -PAGE;
	size_t size = (uintptr_t)addr + nbytes - start;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	if (mmap((void *)start, size, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED)
		__fathom_say("warning: no room for a fixed object: ", strerror(errno));
}

void klee_mark_global(void *object)
{
	(void)object;
}

void klee_warning(const char *message)
{
	fathom_warning(message);
}

void klee_warning_once(const char *message)
{
	static const char *said[64];
	size_t i = 0;
	for (; i < sizeof said / sizeof *said && said[i]; i++)
		if (strcmp(said[i], message) == 0)
			return;
	if (i < sizeof said / sizeof *said)
		said[i] = message;
	fathom_warning(message);
}

void klee_print_expr(const char *msg, ...)
{
	__fathom_say("", msg);
}

void klee_print_range(const char *name, int arg)
{
	(void)arg;
	__fathom_say("", name);
}

void klee_stack_trace(void)
{
}

void klee_set_forking(unsigned enable)
{
	(void)enable;
}

/* A native program's calls are bound already. */
void klee_alias_function(const char *fn_name, const char *new_fn_name)
{
	(void)new_fn_name;
	__fathom_say("warning: klee_alias_function has no effect in a native run: ", fn_name);
}

void klee_open_merge(void)
{
}

void klee_close_merge(void)
{
}

void klee_merge(void)
{
}

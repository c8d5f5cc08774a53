/* KLEE's interface for programs, by the same names and types, implemented by fathom. */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Symbolic values. klee_range: begin <= value < end. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
uintptr_t klee_choose(uintptr_t n);

/* Constraints and preferences. */
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* Ends of a path. */
__attribute__((noreturn)) void klee_silent_exit(int status);
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line,
	const char *message, const char *suffix);
#define klee_assert(expr) \
	((expr) ? (void)0 : __assert_fail(#expr, __FILE__, __LINE__, __PRETTY_FUNCTION__))
__attribute__((noreturn)) void __assert_fail(const char *, const char *, int, const char *);

/* Questions about the state. */
unsigned klee_is_symbolic(uintptr_t n);
#ifdef __cplusplus
unsigned klee_is_replay();
#else
unsigned klee_is_replay(void);
#endif
size_t klee_get_obj_size(void *ptr);
int klee_get_errno(void);

/* One possible value, which the path then keeps. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* Memory. */
void klee_check_memory_access(const void *address, size_t size);
void klee_define_fixed_object(void *addr, size_t nbytes);
void klee_mark_global(void *object);

/* Messages. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *msg, ...);
void klee_print_range(const char *name, int arg);
void klee_stack_trace(void);

/* Exploration. */
void klee_set_forking(unsigned enable);
void klee_alias_function(const char *fn_name, const char *new_fn_name);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_merge(void);

#ifdef __cplusplus
}
#endif

#endif

/* A cancellation point in C: the request is seen before the call, or after it was interrupted. */
#include "pthread_impl.h"
#include "syscall.h"

hidden long __cancel(void);
hidden const char __cp_begin[1], __cp_end[1], __cp_cancel[1];

hidden long __syscall_cp_asm(volatile int *cancel, syscall_arg_t n,
	syscall_arg_t a, syscall_arg_t b, syscall_arg_t c,
	syscall_arg_t d, syscall_arg_t e, syscall_arg_t f)
{
	return *cancel ? __cancel() : __sys_call(n, a, b, c, d, e, f);
}

/* Every system call of the C library is a call of this one function, in both builds of musl.
 * The engine implements it for the bitcode; native/sys_call.c implements it for native programs.
 * No vDSO symbols are named, so reading the clock is a system call like any other. */
extern long __sys_call(long n, long a, long b, long c, long d, long e, long f);

#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)
#define IPC_64 0

static __inline long __syscall0(long n)
{
	return __sys_call(n, 0, 0, 0, 0, 0, 0);
}

static __inline long __syscall1(long n, long a)
{
	return __sys_call(n, a, 0, 0, 0, 0, 0);
}

static __inline long __syscall2(long n, long a, long b)
{
	return __sys_call(n, a, b, 0, 0, 0, 0);
}

static __inline long __syscall3(long n, long a, long b, long c)
{
	return __sys_call(n, a, b, c, 0, 0, 0);
}

static __inline long __syscall4(long n, long a, long b, long c, long d)
{
	return __sys_call(n, a, b, c, d, 0, 0);
}

static __inline long __syscall5(long n, long a, long b, long c, long d, long e)
{
	return __sys_call(n, a, b, c, d, e, 0);
}

static __inline long __syscall6(long n, long a, long b, long c, long d, long e, long f)
{
	return __sys_call(n, a, b, c, d, e, f);
}

/* Guard mode's fault handler: says what was accessed, from where, and which block was meant, then
 * lets the program die of its fault. A program's own handlers of the fault signals never see a
 * fault; a signal sent by kill or raise reaches them as ever. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include "guard.h"
#include "ksigaction.h"
#include "raw_sys_call.h"

#define STACK_SIZE (64 << 10)
/* How much of the program's stack goes behind the report's line, for unwinding. */
#define DUMP_SIZE (32 << 10)
#define MASK_SIZE 8

static const unsigned char fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
/* What the program asked for. */
static struct k_sigaction wanted[sizeof fault_signals];
static stack_t wanted_stack = {.ss_flags = SS_DISABLE};
static const char *misuse;
static uintptr_t misuse_address;

static int fault_index(long signal)
{
	for (int i = 0; i < (int)sizeof fault_signals; i++)
		if (fault_signals[i] == signal)
			return i;
	return -1;
}

static unsigned long fault_mask(void)
{
	unsigned long mask = 0;
	for (int i = 0; i < (int)sizeof fault_signals; i++)
		mask |= 1UL << (fault_signals[i] - 1);
	return mask;
}

static void default_action(int signal)
{
	struct k_sigaction action = {.flags = SA_RESTORER, .restorer = __restore_rt};
	raw_sys_call(SYS_rt_sigaction, signal, (long)&action, 0, MASK_SIZE, 0, 0);
}

static void send(int signal)
{
	long process = raw_sys_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
	long thread = raw_sys_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
	raw_sys_call(SYS_tgkill, process, thread, signal, 0, 0, 0);
}

static const char *access_kind(int signal, const greg_t *registers)
{
	if (signal != SIGSEGV || registers[REG_TRAPNO] != 14)
		return "none";
	if (registers[REG_ERR] & 16)
		return "execute";
	return registers[REG_ERR] & 2 ? "write" : "read";
}

static void add_block(struct line *line, uintptr_t address)
{
	static const char *const states[] = {"live", "freed"};
	static const char *const kinds[] = {"heap", "argument", "environment"};
	const struct block *block = __fathom_guard_block(address);
	if (!block)
		return;
	__fathom_line_text(line, ",\"block\":{");
	__fathom_line_number(line, "address", block->address);
	__fathom_line_number(line, "size", block->size);
	__fathom_line_string(line, "state", states[block->state]);
	__fathom_line_string(line, "kind", kinds[block->kind]);
	__fathom_line_text(line, "}");
}

static void report(int signal, const siginfo_t *info, const greg_t *registers)
{
	static struct line line;
	uintptr_t address = misuse ? misuse_address : (uintptr_t)info->si_addr;
	__fathom_line_string(&line, "event", misuse ? misuse : "fault");
	__fathom_line_number(&line, "signal", misuse ? SIGABRT : signal);
	__fathom_line_number(&line, "trap", registers[REG_TRAPNO]);
	__fathom_line_string(&line, "access", access_kind(signal, registers));
	__fathom_line_number(&line, "address", address);
	__fathom_line_number(&line, "pc", registers[REG_RIP]);
	__fathom_line_number(&line, "sp", registers[REG_RSP]);
	__fathom_line_number(&line, "bp", registers[REG_RBP]);
	add_block(&line, address);
	__fathom_line_write(&line, (void *)registers[REG_RSP], DUMP_SIZE);
}

static void forward(int signal, siginfo_t *info, void *context)
{
	struct k_sigaction *action = &wanted[fault_index(signal)];
	if (action->handler == SIG_IGN)
		return;
	if (action->handler != SIG_DFL) {
		((void (*)(int, siginfo_t *, void *))action->handler)(signal, info, context);
		return;
	}
	default_action(signal);
	send(signal);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	if (info->si_code <= 0) {
		forward(signal, info, context);
		return;
	}
	report(signal, info, ((ucontext_t *)context)->uc_mcontext.gregs);
	/* Back to the same instruction, which ends the program this time; misuse ends as abort does. */
	default_action(signal);
	if (misuse) {
		default_action(SIGABRT);
		unsigned long abort_mask = 1UL << (SIGABRT - 1);
		raw_sys_call(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&abort_mask, 0, MASK_SIZE, 0, 0);
		send(SIGABRT);
	}
}

void __fathom_guard_misuse(const char *what, uintptr_t address)
{
	misuse_address = address;
	misuse = what;
	__builtin_trap();
}

void __fathom_guard_install(void)
{
	struct k_sigaction action = {
		.handler = (void (*)(int))on_fault,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTORER,
		.restorer = __restore_rt,
	};
	/* The stack is a mapping of its own: running off a small one should not hit other data. */
	long flags = MAP_PRIVATE | MAP_ANONYMOUS;
	long stack = raw_sys_call(SYS_mmap, 0, STACK_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	stack_t alternate = {.ss_sp = (void *)stack, .ss_size = STACK_SIZE};
	raw_sys_call(SYS_sigaltstack, (long)&alternate, 0, 0, 0, 0, 0);
	for (int i = 0; i < (int)sizeof fault_signals; i++)
		raw_sys_call(SYS_rt_sigaction, fault_signals[i], (long)&action, 0, MASK_SIZE, 0, 0);
}

static long sigaction_call(int index, const struct k_sigaction *new, struct k_sigaction *old)
{
	struct k_sigaction before = wanted[index];
	if (new)
		wanted[index] = *new;
	if (old)
		*old = before;
	return 0;
}

static long sigaltstack_call(const stack_t *new, stack_t *old)
{
	stack_t before = wanted_stack;
	if (new)
		wanted_stack = *new;
	if (old)
		*old = before;
	return 0;
}

int __fathom_guard_signal_call(long n, long a, long b, long c, long *result)
{
	unsigned long mask;
	switch (n) {
	case SYS_rt_sigaction:
		if (fault_index(a) < 0)
			return 0;
		*result = sigaction_call(fault_index(a), (void *)b, (void *)c);
		return 1;
	case SYS_sigaltstack:
		*result = sigaltstack_call((void *)a, (void *)b);
		return 1;
	case SYS_rt_sigprocmask:
		if (!b || a == SIG_UNBLOCK)
			return 0;
		/* A fault whose signal is blocked would end the program without a word. */
		mask = *(unsigned long *)b & ~fault_mask();
		*result = raw_sys_call(n, a, (long)&mask, c, MASK_SIZE, 0, 0);
		return 1;
	}
	return 0;
}

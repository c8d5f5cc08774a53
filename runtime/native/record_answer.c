/* Recording: answers of the kernel that depend on the moment or the machine. */
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include "record.h"

#define MAX_ANSWERS (4L << 20)

/* How many bytes an answer has besides the result, where that is no fixed number. */
enum {
	RESULT = -1,
	/* The result is a number of groups. */
	GROUPS = -2,
	/* The argument behind the buffer points to the length, as a socklen_t. */
	LENGTH = -3,
	IOCTL = -4,
	/* Three pointers to an id each. */
	THREE = -5,
};

static const struct answer {
	short number;
	signed char buffer;
	short size;
} answers[] = {
	{SYS_clock_gettime, 1, 16},
	{SYS_clock_getres, 1, 16},
	{SYS_gettimeofday, 0, 16},
	{SYS_time, 0, 8},
	{SYS_times, 0, 32},
	{SYS_getrusage, 1, 144},
	{SYS_getitimer, 1, 32},
	{SYS_getpid, 0, 0},
	{SYS_getppid, 0, 0},
	{SYS_gettid, 0, 0},
	{SYS_getuid, 0, 0},
	{SYS_geteuid, 0, 0},
	{SYS_getgid, 0, 0},
	{SYS_getegid, 0, 0},
	{SYS_getpgrp, 0, 0},
	{SYS_getpgid, 0, 0},
	{SYS_getsid, 0, 0},
	{SYS_getresuid, 0, THREE},
	{SYS_getresgid, 0, THREE},
	{SYS_getgroups, 1, GROUPS},
	{SYS_getpriority, 0, 0},
	{SYS_sched_getaffinity, 2, RESULT},
	{SYS_sched_getscheduler, 0, 0},
	{SYS_uname, 0, 390},
	{SYS_sysinfo, 0, 112},
	{SYS_getrandom, 0, RESULT},
	{SYS_getrlimit, 1, 16},
	{SYS_prlimit64, 3, 16},
	{SYS_ioctl, 2, IOCTL},
	{SYS_getsockopt, 3, LENGTH},
	{SYS_getsockname, 1, LENGTH},
	{SYS_getpeername, 1, LENGTH},
	{SYS_statfs, 1, 120},
	{SYS_fstatfs, 1, 120},
	{SYS_wait4, 1, 4},
	{SYS_kill, 0, 0},
	{SYS_poll, 0, 0},
};

static long n_logged;

static size_t ioctl_size(long request)
{
	switch (request) {
	case TCGETS:
		return 36;
	case TIOCGWINSZ:
		return 8;
	case FIONREAD:
	case TIOCGPGRP:
	case TIOCGSID:
		return 4;
	}
	return 0;
}

static size_t size_of(const struct answer *answer, const struct call *call, long result)
{
	if (!call->args[answer->buffer] || result < 0)
		return 0;
	/* Nobody has ended yet. */
	if (call->number == SYS_wait4 && result == 0)
		return 0;
	switch (answer->size) {
	case RESULT:
		return result;
	case GROUPS:
		return call->args[0] ? result * 4 : 0;
	case LENGTH:
		return *(unsigned *)call->args[answer->buffer + 1];
	case IOCTL:
		return ioctl_size(call->args[1]);
	case THREE:
		return 0;
	}
	return answer->size;
}

static void log_answer(const struct answer *answer, const struct call *call, long result)
{
	const long *args = call->args;
	int64_t head[] = {call->number, args[0], args[1], args[2], result};
	int is_three = answer->size == THREE && result == 0;
	struct part parts[] = {{head, sizeof head},
		{(void *)args[answer->buffer], size_of(answer, call, result)},
		{(void *)args[0], is_three ? 4 : 0}, {(void *)args[1], is_three ? 4 : 0},
		{(void *)args[2], is_three ? 4 : 0}};
	__fathom_record_frame(FRAME_ANSWER, parts, 5);
	n_logged += sizeof head + parts[1].size;
	if (n_logged >= MAX_ANSWERS)
		__fathom_record_note("more than 4 MiB of answers: the rest is not here", "");
}

void __fathom_record_answer(const struct call *call, long result)
{
	struct turn turn;
	if (n_logged >= MAX_ANSWERS || !__fathom_record_enter(&turn))
		return;
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
		if (answers[i].number == call->number)
			log_answer(&answers[i], call, result);
	__fathom_record_leave(&turn);
}

/* Recording: which descriptor stands for which source of bytes, and which for a standard stream. */
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include "record.h"

#define MAX_INHERITED 32
/* CLOSE_RANGE_CLOEXEC */
#define CLOEXEC_ONLY 4

static uint32_t sources[MAX_FDS], n_sources;
static uint8_t streams[MAX_FDS];
static struct inherited {
	dev_t device;
	ino_t inode;
	uint32_t source;
} inherited[MAX_INHERITED];
static int n_inherited;

uint32_t __fathom_record_source(long fd)
{
	return fd >= 0 && fd < MAX_FDS ? sources[fd] : 0;
}

void __fathom_record_set_source(long fd, uint32_t source)
{
	if (fd >= 0 && fd < MAX_FDS)
		sources[fd] = source;
	else if (source)
		__fathom_record_note("a descriptor beyond 4096 is not followed", "");
}

int __fathom_record_stream(long fd)
{
	return fd >= 0 && fd < MAX_FDS ? streams[fd] : 0;
}

void __fathom_record_set_stream(long fd, int stream)
{
	if (fd >= 0 && fd < MAX_FDS)
		streams[fd] = stream;
	else if (stream)
		__fathom_record_note("a descriptor beyond 4096 is not followed", "");
}

uint32_t __fathom_record_new_source(void)
{
	return ++n_sources;
}

static struct inherited *find(const struct stat *status)
{
	for (int i = 0; i < n_inherited; i++)
		if (inherited[i].device == status->st_dev && inherited[i].inode == status->st_ino)
			return &inherited[i];
	return 0;
}

static int is_random(const struct stat *status)
{
	unsigned device = minor(status->st_rdev);
	return S_ISCHR(status->st_mode) && major(status->st_rdev) == 1 && (device == 8 || device == 9);
}

uint32_t __fathom_record_source_of(const struct stat *status)
{
	struct inherited *known = find(status);
	if (known && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode))
		return known->source;
	return __fathom_record_new_source() | (is_random(status) ? RANDOM : 0);
}

uint32_t __fathom_record_inherited_source(const struct stat *status)
{
	uint32_t source = __fathom_record_source_of(status);
	if (!find(status) && n_inherited < MAX_INHERITED)
		inherited[n_inherited++] = (struct inherited){status->st_dev, status->st_ino, source};
	return source;
}

static void new_source(long fd, uint32_t source, const char *name)
{
	struct part parts[] = {{&source, sizeof source}, {name, strlen(name)}};
	__fathom_record_frame(FRAME_OPENED, parts, 2);
	__fathom_record_set_source(fd, source);
}

static void close_range(unsigned long first, unsigned long last)
{
	for (; first <= last && first < MAX_FDS; first++)
		sources[first] = streams[first] = 0;
}

static void update(const struct call *call, long result)
{
	const long *args = call->args;
	switch (call->number) {
	case SYS_close:
		__fathom_record_set_source((int)args[0], 0);
		__fathom_record_set_stream((int)args[0], 0);
		break;
	case SYS_close_range:
		if (!(args[2] & CLOEXEC_ONLY))
			close_range((unsigned)args[0], (unsigned)args[1]);
		break;
	case SYS_fcntl:
	case SYS_dup:
	case SYS_dup2:
	case SYS_dup3:
		__fathom_record_set_source(result, __fathom_record_source((int)args[0]));
		__fathom_record_set_stream(result, __fathom_record_stream((int)args[0]));
		break;
	case SYS_socket:
	case SYS_accept:
	case SYS_accept4:
		new_source(result, __fathom_record_new_source(), "socket");
		break;
	case SYS_pipe:
	case SYS_pipe2:
		new_source(*(int *)args[0], __fathom_record_new_source() | OWN_PIPE, "pipe");
		break;
	}
}

static int is_followed(long fd)
{
	return __fathom_record_source(fd) || __fathom_record_stream(fd);
}

/* Most descriptors stand for nothing that is followed, before and after: that needs no turn. */
static int matters(const struct call *call, long result)
{
	const long *args = call->args;
	switch (call->number) {
	case SYS_close:
		return is_followed((int)args[0]);
	case SYS_fcntl:
		if (args[1] != F_DUPFD && args[1] != F_DUPFD_CLOEXEC)
			return 0;
		/* fall through */
	case SYS_dup:
	case SYS_dup2:
	case SYS_dup3:
		return is_followed((int)args[0]) || is_followed(result);
	}
	return 1;
}

void __fathom_record_after_descriptor_call(const struct call *call, long result)
{
	struct turn turn;
	/* What close says, the descriptor is gone. */
	if ((result < 0 && call->number != SYS_close) || !matters(call, result) ||
	    !__fathom_record_enter(&turn))
		return;
	update(call, result);
	__fathom_record_leave(&turn);
}

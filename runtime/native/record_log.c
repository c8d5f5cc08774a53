/* Recording: the file. Frames are appended in a shared mapping of its end, so that they are in the
 * file whatever becomes of the process, and cost no system call. A frame counts from the moment its
 * first word is there, which is written last. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include "record.h"

#define PAGE 4096UL
#define FIRST_WINDOW (4 * PAGE)
#define WINDOW (32 * PAGE)
#define MAX_FRAME ((1 << 24) - 1)
/* Always free behind the last frame, for the note that nothing follows. */
#define ROOM 128
#define MASK_SIZE 8

static char directory[MAX_NAME], path[MAX_NAME];
static char *window;
static size_t window_size;
/* In the file: where the window starts, and where the next frame goes. */
static uint64_t window_start, position;
static long process;
static volatile int busy;
/* Until the file is there, too. */
static int stopped = 1, has_handlers;

const char *__fathom_record_directory(void)
{
	return directory;
}

void __fathom_record_handler_set(void)
{
	has_handlers = 1;
}

int __fathom_record_enter(struct turn *turn)
{
	if (stopped || sys(SYS_getpid) != process)
		return 0;
	turn->blocked = has_handlers;
	if (turn->blocked) {
		uint64_t all = -1;
		sys(SYS_rt_sigprocmask, SIG_SETMASK, &all, &turn->mask, MASK_SIZE);
	}
	while (__sync_lock_test_and_set(&busy, 1))
		sys(SYS_sched_yield);
	return 1;
}

void __fathom_record_leave(const struct turn *turn)
{
	__sync_lock_release(&busy);
	if (turn->blocked)
		sys(SYS_rt_sigprocmask, SIG_SETMASK, &turn->mask, 0, MASK_SIZE);
}

/* Makes room in the file; the blocks are there before they are written to by way of memory. */
static int extend(long fd, uint64_t start, size_t size)
{
	if (!__fathom_record_allow_size(start + size))
		return 0;
	long result = sys(SYS_fallocate, fd, 0, start, size);
	if (result == -EOPNOTSUPP || result == -ENOSYS)
		result = sys(SYS_ftruncate, fd, start + size);
	__fathom_record_restore_size();
	return result == 0;
}

static int map(long fd, uint64_t start, size_t size)
{
	if (!extend(fd, start, size))
		return 0;
	/* Where there was much to log, there will be more: all pages at once cost less. */
	long flags = start ? MAP_SHARED | MAP_POPULATE : MAP_SHARED;
	long mapped = sys(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, flags, fd, start);
	if (mapped < 0 && mapped > -4096)
		return 0;
	if (window)
		sys(SYS_munmap, window, window_size);
	window = (char *)mapped;
	window_start = start;
	window_size = size;
	return 1;
}

static int move_window(size_t needed)
{
	uint64_t start = position & -PAGE;
	size_t size = (position - start + needed + ROOM + PAGE - 1) & -PAGE;
	long fd = __fathom_record_file(AT_FDCWD, path, O_RDWR);
	if (fd < 0)
		return 0;
	int done = map(fd, start, size > WINDOW ? size : WINDOW);
	sys(SYS_close, fd);
	return done;
}

static void append(enum frame kind, const struct part *parts, int n_parts, size_t length)
{
	char *start = window + (position - window_start), *end = start + 4;
	for (int i = 0; i < n_parts; i++) {
		memcpy(end, parts[i].data, parts[i].size);
		end += parts[i].size;
	}
	__atomic_store_n((uint32_t *)start, kind | (uint32_t)length << 8, __ATOMIC_RELEASE);
	position += 4 + ((length + 3) & -4UL);
}

void __fathom_record_stop(const char *why)
{
	struct part text = {why, strlen(why)};
	if (!stopped && window)
		append(FRAME_NOTE, &text, 1, text.size);
	stopped = 1;
}

void __fathom_record_frame(enum frame kind, const struct part *parts, int n_parts)
{
	size_t length = 0;
	for (int i = 0; i < n_parts; i++)
		length += parts[i].size;
	if (stopped || length > MAX_FRAME)
		return;
	if (position - window_start + length + 8 + ROOM > window_size && !move_window(length + 8)) {
		__fathom_record_stop("recording stopped: its file cannot grow");
		return;
	}
	append(kind, parts, n_parts, length);
}

void __fathom_record_note(const char *text, const char *about)
{
	struct part parts[] = {{text, strlen(text)}, {about, strlen(about)}};
	__fathom_record_frame(FRAME_NOTE, parts, 2);
}

/* DIR/<nanoseconds>-<process>.rec, in decimal. */
static void add_number(char **end, uint64_t value)
{
	char digits[20];
	int n = 0;
	do
		digits[n++] = '0' + value % 10;
	while (value /= 10);
	while (n)
		*(*end)++ = digits[--n];
	**end = 0;
}

static long create(uint64_t time)
{
	for (long fd;; time++) {
		char *end = __fathom_record_add(path, directory);
		end = __fathom_record_add(end, "/");
		add_number(&end, time);
		end = __fathom_record_add(end, "-");
		add_number(&end, process);
		__fathom_record_add(end, ".rec");
		fd = __fathom_record_file(AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL);
		if (fd != -EEXIST)
			return fd;
	}
}

static long create_in_directory(uint64_t time)
{
	long fd = create(time);
	if (fd != -ENOENT)
		return fd;
	char *end = __fathom_record_add(path, directory);
	sys(SYS_mkdir, path, 0777);
	__fathom_record_add(end, "/blobs");
	sys(SYS_mkdir, path, 0777);
	return create(time);
}

int __fathom_record_open(const char *where)
{
	struct timespec now = {0};
	__fathom_record_add(directory, where);
	process = sys(SYS_getpid);
	sys(SYS_clock_gettime, CLOCK_REALTIME, &now);
	/* The program may change its user: whoever it becomes must be able to go on. */
	long umask = sys(SYS_umask, 0);
	long fd = create_in_directory(now.tv_sec * 1000000000UL + now.tv_nsec);
	sys(SYS_umask, umask);
	if (fd < 0)
		return 0;
	int done = map(fd, 0, FIRST_WINDOW);
	sys(SYS_close, fd);
	if (!done)
		return 0;
	memcpy(window, "fathomr1", 8);
	position = 8;
	stopped = 0;
	return 1;
}

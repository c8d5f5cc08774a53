/* Recording: copies of regular files' contents, shared by all processes that saw the same. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include "record.h"

#define MAX_CONTENTS (16 << 20)
/* The clock of file times is coarse: what changed this recently may change again unnoticed. */
#define YOUNG_NS 50000000L

static char name[128], path[MAX_NAME], partial[MAX_NAME];
static uint64_t n_copies;

static int64_t nanoseconds(struct timespec time)
{
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

int __fathom_record_is_young(const struct stat *status)
{
	struct timespec now;
	int64_t modified = nanoseconds(status->st_mtim), changed = nanoseconds(status->st_ctim);
	sys(SYS_clock_gettime, CLOCK_REALTIME, &now);
	return nanoseconds(now) - (modified > changed ? modified : changed) < YOUNG_NS;
}

uint64_t __fathom_record_contents_key(const struct stat *status)
{
	uint64_t key = 1;
	uint64_t fields[] = {status->st_dev, status->st_ino, status->st_size,
		nanoseconds(status->st_mtim), nanoseconds(status->st_ctim)};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		key = (key ^ fields[i]) * 0x9e3779b97f4a7c15 ^ key >> 29;
	return key | 1;
}

static char *add_field(char *end, uint64_t value)
{
	return __fathom_record_add_hex(__fathom_record_add(end, "-"), value);
}

static void add_own(char *end)
{
	add_field(add_field(end, sys(SYS_getpid)), n_copies++);
}

static void make_name(const struct stat *status)
{
	char *end = __fathom_record_add_hex(name, status->st_dev);
	end = add_field(end, status->st_ino);
	end = add_field(end, status->st_size);
	end = add_field(end, nanoseconds(status->st_mtim));
	end = add_field(end, nanoseconds(status->st_ctim));
	if (__fathom_record_is_young(status))
		add_own(end);
}

static int copy(long from, long to, uint64_t size)
{
	int64_t offset = 0;
	if (!__fathom_record_allow_size(size))
		return 0;
	while ((uint64_t)offset < size) {
		long n = sys(SYS_sendfile, to, from, &offset, size - offset);
		/* A file that shrinks meanwhile ends early. */
		if (n < 0)
			break;
		if (n == 0)
			size = offset;
	}
	__fathom_record_restore_size();
	return (uint64_t)offset == size;
}

/* Another process may have made the recording's directory a moment ago, and not yet this one. */
static void make_directory(void)
{
	char *end = __fathom_record_add(partial, __fathom_record_directory());
	__fathom_record_add(end, "/blobs");
	sys(SYS_mkdir, partial, 0777);
}

static long make_partial(void)
{
	char *end = __fathom_record_add(partial, __fathom_record_directory());
	add_own(__fathom_record_add(end, "/blobs/.partial"));
	return __fathom_record_file(AT_FDCWD, partial, O_WRONLY | O_CREAT | O_TRUNC);
}

static int make_blob(long fd, uint64_t size, int mode);

/* Where no descriptor is left, a copy of this process has some that it can close. It sends no
 * signal, and the program's own waiting does not find it without __WALL. */
static int make_blob_elsewhere(long fd, uint64_t size, int mode)
{
	static int is_copy;
	int status = -1;
	long child = is_copy ? -EMFILE : sys(SYS_clone, 0, 0, 0, 0, 0);
	if (child == 0) {
		is_copy = 1;
		if (fd > 0)
			sys(SYS_close_range, 0, fd - 1, 0);
		sys(SYS_close_range, fd + 1, -1, 0);
		sys(SYS_exit_group, !make_blob(fd, size, mode));
	}
	while (child > 0 && sys(SYS_wait4, child, &status, __WALL, 0) == -EINTR)
		;
	return child > 0 && status == 0;
}

static int make_blob(long fd, uint64_t size, int mode)
{
	long to = make_partial();
	if (to == -ENOENT) {
		make_directory();
		to = make_partial();
	}
	if (to == -EMFILE)
		return make_blob_elsewhere(fd, size, mode);
	if (to < 0)
		return 0;
	sys(SYS_fchmod, to, mode);
	int done = copy(fd, to, size) && sys(SYS_rename, partial, path) == 0;
	if (!done)
		sys(SYS_unlink, partial);
	sys(SYS_close, to);
	return done;
}

static const char *blob(long fd, const struct stat *status, uint64_t most, int mode)
{
	uint64_t size = status->st_size;
	make_name(status);
	if (mode & 0111)
		__fathom_record_add(name + strlen(name), "-e");
	char *end = __fathom_record_add(path, __fathom_record_directory());
	__fathom_record_add(__fathom_record_add(end, "/blobs/"), name);
	if (size > most) {
		size = most;
		__fathom_record_note("only the first 16 MiB are in ", name);
	}
	if (sys(SYS_access, path, 0) == 0 || make_blob(fd, size, mode))
		return name;
	__fathom_record_note("no copy could be made: ", name);
	return 0;
}

const char *__fathom_record_blob(long fd, const struct stat *status)
{
	return blob(fd, status, MAX_CONTENTS, 0644);
}

const char *__fathom_record_image(long fd, const struct stat *status)
{
	return blob(fd, status, status->st_size, 0755);
}

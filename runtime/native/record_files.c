/* Recording: files of our own, opened for a moment. The program sees no descriptor and no limit
 * change, and never gets SIGXFSZ for what we write. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "record.h"

struct limit {
	uint64_t soft, hard;
};

static struct limit size_before;
static int size_raised;

/* Raises a limit for the moment, beyond the hard one where the process may do that. */
static int lift(int resource, uint64_t needed, struct limit *before)
{
	if (sys(SYS_prlimit64, 0, resource, 0, before) < 0)
		return -1;
	if (before->soft >= needed)
		return 0;
	struct limit wanted = {needed, before->hard > needed ? before->hard : needed};
	return sys(SYS_prlimit64, 0, resource, &wanted, 0) < 0 ? -1 : 1;
}

static void restore(int resource, const struct limit *before)
{
	sys(SYS_prlimit64, 0, resource, before, 0);
}

int __fathom_record_allow_size(uint64_t size)
{
	int result = lift(RLIMIT_FSIZE, size, &size_before);
	size_raised = result == 1;
	return result >= 0;
}

void __fathom_record_restore_size(void)
{
	if (size_raised)
		restore(RLIMIT_FSIZE, &size_before);
	size_raised = 0;
}

static long open_beyond_limit(long directory, const char *path, long flags)
{
	struct limit before;
	if (sys(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &before) < 0)
		return -EMFILE;
	struct limit room = before;
	if (lift(RLIMIT_NOFILE, before.soft + 8, &room) != 1)
		return -EMFILE;
	long fd = sys(SYS_openat, directory, path, flags, 0666);
	restore(RLIMIT_NOFILE, &before);
	return fd;
}

long __fathom_record_file(long directory, const char *path, long flags)
{
	flags |= O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	long fd = sys(SYS_openat, directory, path, flags, 0666);
	if (fd == -EMFILE)
		fd = open_beyond_limit(directory, path, flags);
	if (fd < 0 || fd > 2)
		return fd;
	/* Another thread must not write to a closed standard stream and hit our file. */
	long moved = sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 3);
	sys(SYS_close, fd);
	return moved;
}

size_t __fathom_record_fd_name(long fd, char *name, size_t size)
{
	char link[32] = "/proc/self/fd/", digits[16];
	int n = 0;
	do
		digits[n++] = '0' + fd % 10;
	while (fd /= 10);
	for (char *end = link + strlen(link); n; *end = 0)
		*end++ = digits[--n];
	long length = sys(SYS_readlink, link, name, size - 1);
	if (length < 0)
		length = 0;
	name[length] = 0;
	return length;
}

char *__fathom_record_add(char *end, const char *text)
{
	size_t length = strlen(text);
	memcpy(end, text, length + 1);
	return end + length;
}

char *__fathom_record_add_hex(char *end, uint64_t value)
{
	int digits = 1;
	while (digits < 16 && value >> 4 * digits)
		digits++;
	while (digits--)
		*end++ = "0123456789abcdef"[value >> 4 * digits & 15];
	*end = 0;
	return end;
}

/* Recording: absolute names of the paths that a program gives to the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include "record.h"

static char base[MAX_NAME];

static int base_of(long directory)
{
	if (directory != AT_FDCWD)
		return __fathom_record_fd_name(directory, base, sizeof base) && *base == '/';
	return sys(SYS_getcwd, base, sizeof base) > 0 && *base == '/';
}

/* Takes out empty components and "."; true if there is a "..". */
static int squeeze(char *name)
{
	char *end = name;
	int dots = 0;
	for (const char *next = name; *next;) {
		size_t length = strcspn(next, "/");
		if (length && !(length == 1 && *next == '.')) {
			dots |= length == 2 && next[0] == '.' && next[1] == '.';
			*end++ = '/';
			memmove(end, next, length);
			end += length;
		}
		next += length + (next[length] == '/');
	}
	if (end == name)
		*end++ = '/';
	*end = 0;
	return dots;
}

/* The kernel says where ".." leads: links on the way count. */
static void straighten(char *name)
{
	char *last = 0;
	for (char *dots = name; (dots = strstr(dots, "/..")); dots += 3)
		if (dots[3] == '/' || !dots[3])
			last = dots + 3;
	char rest = *last;
	*last = 0;
	long fd = __fathom_record_file(AT_FDCWD, name, O_PATH);
	*last = rest;
	size_t length = fd < 0 ? 0 : __fathom_record_fd_name(fd, base, sizeof base);
	if (fd >= 0)
		sys(SYS_close, fd);
	if (!length || *base != '/' || length + strlen(last) >= MAX_NAME)
		return;
	memmove(name + length, last, strlen(last) + 1);
	memcpy(name, base, length);
	squeeze(name);
}

static int join(char *name, const char *below, const char *given)
{
	size_t length = strlen(below);
	if (length + strlen(given) + 2 > MAX_NAME)
		return 0;
	memmove(name, below, length);
	name[length] = '/';
	strcpy(name + length + 1, given);
	if (squeeze(name))
		straighten(name);
	return 1;
}

int __fathom_record_name(char *name, long directory, const char *given)
{
	if (*given != '/' && !base_of(directory))
		return 0;
	return join(name, *given == '/' ? "" : base, given);
}

int __fathom_record_follow(char *name, const char *target)
{
	*strrchr(name, '/') = 0;
	return join(name, *target == '/' ? "" : name, target);
}

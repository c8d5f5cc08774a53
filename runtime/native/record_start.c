/* Recording: what a program starts with. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "record.h"

#define LAST_FD 255

static void log_bytes(enum frame kind, const char *bytes, size_t size)
{
	struct part part = {bytes, size};
	__fathom_record_frame(kind, &part, 1);
}

/* A bit for each of the first 31, the lowest for number 1. */
static uint32_t ignored_signals(void)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} action;
	uint32_t ignored = 0;
	for (int signal = 1; signal < 32; signal++)
		if (sys(SYS_rt_sigaction, signal, 0, &action, 8) == 0 && action.handler == (void *)SIG_IGN)
			ignored |= 1u << (signal - 1);
	return ignored;
}

static void log_process(void)
{
	struct {
		uint32_t pid, parent, uid, euid, gid, egid, umask, ignored;
		struct timespec time;
		struct rlimit limits[RLIM_NLIMITS];
	} start = {
		.pid = sys(SYS_getpid),
		.parent = sys(SYS_getppid),
		.uid = sys(SYS_getuid),
		.euid = sys(SYS_geteuid),
		.gid = sys(SYS_getgid),
		.egid = sys(SYS_getegid),
		.umask = sys(SYS_umask, 0),
		.ignored = ignored_signals(),
	};
	sys(SYS_umask, start.umask);
	sys(SYS_clock_gettime, CLOCK_REALTIME, &start.time);
	for (int i = 0; i < RLIM_NLIMITS; i++)
		sys(SYS_prlimit64, 0, i, 0, &start.limits[i]);
	log_bytes(FRAME_START, (char *)&start, sizeof start);
}

static void log_descriptor(int fd, int fd_flags)
{
	static char name[MAX_NAME];
	static struct stat status;
	struct {
		int32_t fd, flags, fd_flags;
		uint32_t source;
		int64_t offset;
	} head = {fd, sys(SYS_fcntl, fd, F_GETFL), fd_flags, 0, 0};
	const char *blob = 0;
	if (fd == 1 || fd == 2)
		__fathom_record_set_stream(fd, fd);
	sys(SYS_fstat, fd, &status);
	size_t length = __fathom_record_fd_name(fd, name, sizeof name);
	int is_readable = (head.flags & O_ACCMODE) != O_WRONLY && !(head.flags & O_PATH);
	if (S_ISREG(status.st_mode) && is_readable && !__fathom_record_is_special(name)) {
		head.offset = sys(SYS_lseek, fd, 0, SEEK_CUR);
		blob = __fathom_record_blob(fd, &status);
	} else if (is_readable && !__fathom_record_is_silent(&status)) {
		head.source = __fathom_record_inherited_source(&status);
		__fathom_record_set_source(fd, head.source);
	}
	struct part parts[] = {{&head, sizeof head}, {&status, sizeof status},
		{name, length + 1}, {blob, blob ? strlen(blob) : 0}};
	__fathom_record_frame(FRAME_DESCRIPTOR, parts, 4);
}

static void log_descriptors(void)
{
	static struct pollfd fds[LAST_FD + 1];
	for (int fd = 0; fd <= LAST_FD; fd++)
		fds[fd].fd = fd;
	/* One call tells which are open, unless the limit is lower than their number. */
	sys(SYS_poll, fds, LAST_FD + 1, 0);
	for (int fd = 0; fd <= LAST_FD; fd++) {
		long flags = fds[fd].revents & POLLNVAL ? -1 : sys(SYS_fcntl, fd, F_GETFD);
		if (flags >= 0)
			log_descriptor(fd, flags);
	}
}

/* The program as it is now: the suite may replace or remove it. */
static void log_image(void)
{
	static struct stat status;
	const char *image = 0;
	long fd = __fathom_record_file(AT_FDCWD, "/proc/self/exe", O_RDONLY);
	if (fd >= 0 && sys(SYS_fstat, fd, &status) == 0)
		image = __fathom_record_image(fd, &status);
	if (fd >= 0)
		sys(SYS_close, fd);
	if (image)
		log_bytes(FRAME_IMAGE, image, strlen(image));
}

void __fathom_record_beginning(const char *program, int argc, char **argv)
{
	static char cwd[MAX_NAME];
	log_process();
	log_bytes(FRAME_PROGRAM, program, strlen(program));
	log_image();
	for (int i = 0; i < argc; i++)
		log_bytes(FRAME_ARGUMENT, argv[i], strlen(argv[i]));
	for (char **variable = argv + argc + 1; *variable; variable++)
		log_bytes(FRAME_VARIABLE, *variable, strlen(*variable));
	long length = sys(SYS_getcwd, cwd, sizeof cwd);
	log_bytes(FRAME_CWD, cwd, length > 0 ? length - 1 : 0);
	log_descriptors();
	log_bytes(FRAME_READY, "", 0);
}

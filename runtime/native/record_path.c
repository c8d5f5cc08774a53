/* Recording: what stands at a path before the program can change it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include "record.h"

#define MAX_LINKS 40
/* In place of a key of contents, which is odd: the path was looked at; opened, but too young. */
#define SEEN 2
#define YOUNG 4
/* In place of a result. */
#define NOT_MADE (-4096)

enum how {
	/* What a link leads to counts, and not the link itself alone. */
	FOLLOW = 1,
	/* What is in the file matters, and the call gives no descriptor to read it from. */
	CONTENTS = 2,
	/* If the call succeeds, what stands there from then on is the program's doing. */
	CHANGES = 4,
	/* It changes something else about the path, or what the path means. */
	ALTERS = 64,
	/* FOLLOW unless the argument of this number, counted from 0, has AT_SYMLINK_NOFOLLOW. */
	FLAGS_2 = 8,
	FLAGS_3 = 16,
	FLAGS_4 = 32,
	/* FOLLOW if the argument of number 4 has AT_SYMLINK_FOLLOW. */
	FOLLOW_4 = 128,
};

/* The calls with paths: the arguments that are the directory (-1 for none) and the path. */
static const struct path_call {
	short number;
	signed char directory, path;
	unsigned char how;
} path_calls[] = {
	{SYS_stat, -1, 0, FOLLOW},
	{SYS_lstat, -1, 0, 0},
	{SYS_newfstatat, 0, 1, FLAGS_3},
	{SYS_statx, 0, 1, FLAGS_2},
	{SYS_access, -1, 0, FOLLOW},
	{SYS_faccessat, 0, 1, FOLLOW},
	{SYS_faccessat2, 0, 1, FLAGS_3},
	{SYS_readlink, -1, 0, 0},
	{SYS_readlinkat, 0, 1, 0},
	{SYS_chdir, -1, 0, FOLLOW | ALTERS},
	{SYS_statfs, -1, 0, FOLLOW},
	{SYS_truncate, -1, 0, FOLLOW | CONTENTS | CHANGES},
	{SYS_chmod, -1, 0, FOLLOW | ALTERS},
	{SYS_fchmodat, 0, 1, FOLLOW | ALTERS},
	{SYS_chown, -1, 0, FOLLOW | ALTERS},
	{SYS_lchown, -1, 0, ALTERS},
	{SYS_fchownat, 0, 1, FLAGS_4 | ALTERS},
	{SYS_utimensat, 0, 1, FLAGS_3 | ALTERS},
	{SYS_mkdir, -1, 0, CHANGES},
	{SYS_mkdirat, 0, 1, CHANGES},
	{SYS_mknod, -1, 0, CHANGES},
	{SYS_mknodat, 0, 1, CHANGES},
	{SYS_rmdir, -1, 0, CHANGES},
	{SYS_unlink, -1, 0, CHANGES},
	{SYS_unlinkat, 0, 1, CHANGES},
	{SYS_symlink, -1, 1, CHANGES},
	{SYS_symlinkat, 1, 2, CHANGES},
	{SYS_link, -1, 0, CONTENTS},
	{SYS_link, -1, 1, CHANGES},
	{SYS_linkat, 0, 1, CONTENTS | FOLLOW_4},
	{SYS_linkat, 2, 3, CHANGES},
	{SYS_rename, -1, 0, CONTENTS | CHANGES},
	{SYS_rename, -1, 1, CHANGES},
	{SYS_renameat, 0, 1, CONTENTS | CHANGES},
	{SYS_renameat, 2, 3, CHANGES},
	{SYS_renameat2, 0, 1, CONTENTS | CHANGES},
	{SYS_renameat2, 2, 3, CHANGES},
};

static char name[MAX_NAME], target[4096];
static struct stat status;
/* Counts the paths that `name` was used for. */
static unsigned long turn_of_name;

/* The path that a call is about; the hash is 0 if there is none. */
struct place {
	uint64_t hash;
	unsigned long turn;
	int is_there;
};

/* Regular by their mode, but their contents are made up as they are read. */
int __fathom_record_is_special(const char *path)
{
	return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

/* Devices that give the same everywhere: null, zero, full. */
int __fathom_record_is_silent(const struct stat *status)
{
	unsigned device = minor(status->st_rdev);
	if (!S_ISCHR(status->st_mode) || major(status->st_rdev) != 1)
		return 0;
	return device == 3 || device == 5 || device == 7;
}

/* What stands at `name`, found by lstat with this result. */
static void log_fact(long error, const char *rest)
{
	uint32_t head[2] = {-error, rest ? S_ISLNK(status.st_mode) ? 2 : 1 : 0};
	struct part parts[] = {{head, sizeof head}, {&status, error ? 0 : sizeof status},
		{name, strlen(name) + 1}, {rest, rest ? strlen(rest) : 0}};
	__fathom_record_frame(FRAME_FACT, parts, 4);
}

/* What a descriptor of the file at `name` gives; once, as long as the file does not change. */
static void log_contents(long fd, struct known *known)
{
	if (sys(SYS_fstat, fd, &status) < 0 || !S_ISREG(status.st_mode))
		return;
	uint64_t key = __fathom_record_contents_key(&status);
	if (key == known->contents)
		return;
	int is_young = __fathom_record_is_young(&status);
	log_fact(0, __fathom_record_blob(fd, &status));
	known->contents = is_young ? YOUNG : key;
}

/* For calls that give the program no descriptor to read from. A file that the program has opened
 * before is left alone: closing a descriptor of ours would release the locks of the process. */
static void log_contents_at(long directory, const char *given, struct known *known)
{
	long fd = __fathom_record_file(directory, given, O_RDONLY | O_NOATIME);
	if (fd == -EPERM)
		fd = __fathom_record_file(directory, given, O_RDONLY);
	if (fd < 0)
		return;
	log_contents(fd, known);
	sys(SYS_close, fd);
}

static void look(long directory, const char *given, long error, int how)
{
	struct known *known = __fathom_record_known(__fathom_record_hash(name));
	if (__fathom_record_made(name))
		return;
	if (!known->contents) {
		known->contents = SEEN;
		known->is_link = !error && S_ISLNK(status.st_mode);
		log_fact(error, !error && S_ISLNK(status.st_mode) ? target : 0);
	}
	int is_plain = !error && S_ISREG(status.st_mode) && !__fathom_record_is_special(name);
	if (is_plain && how & CONTENTS && known->contents == SEEN)
		log_contents_at(directory, given, known);
}

static long status_of(long directory, const char *given)
{
	return sys(SYS_newfstatat, directory, given, &status, AT_SYMLINK_NOFOLLOW);
}

/* Logs what stands at `name`, and what it leads to; leaves the last of these in `name`. */
static long look_through(long directory, const char *given, long error, int how)
{
	for (int i = 0; i < MAX_LINKS; i++) {
		int is_link = !error && S_ISLNK(status.st_mode);
		if (is_link) {
			long length = sys(SYS_readlinkat, directory, given, target, sizeof target - 1);
			target[length < 0 ? 0 : length] = 0;
		}
		look(directory, given, error, how);
		if (!is_link || !(how & FOLLOW) || __fathom_record_is_special(name) ||
		    !__fathom_record_follow(name, target))
			break;
		directory = AT_FDCWD;
		given = name;
		error = status_of(directory, given);
	}
	return error;
}

/* Where there is nothing, the nearest directory above tells what can be made there. */
static void look_above(void)
{
	char *end;
	while ((end = strrchr(name, '/')) && end != name) {
		*end = 0;
		if (__fathom_record_known(__fathom_record_hash(name))->contents)
			return;
		if (look_through(AT_FDCWD, name, status_of(AT_FDCWD, name), FOLLOW) != -ENOENT)
			return;
	}
}

/* Whether the kernel could read the path: the pointer may be wrong. Some results say so. */
static int is_readable(long directory, const char *given, long result)
{
	if (result < 0 && result != -ENOENT)
		result = status_of(directory, given);
	return result != -EFAULT && result != -EBADF && result != -ENAMETOOLONG && *given;
}

/* A slash at the end, or one and a dot, leads on from a link, which is to be known, too. */
static int leads_on(const char *given)
{
	size_t length = strlen(given);
	if (length > 1 && given[length - 1] == '.')
		length--;
	return given[length - 1] == '/';
}

/* Looks at a path before the call is made, or after it if it changes nothing. */
static struct place look_for(long directory, const char *given, int how, long result)
{
	if (!is_readable(directory, given, result))
		return (struct place){0};
	struct place place = {.turn = ++turn_of_name, .is_there = result >= 0};
	if (!__fathom_record_name(name, directory, given)) {
		__fathom_record_note("a path whose directory has no name: ", given);
		return place;
	}
	if (leads_on(given)) {
		directory = AT_FDCWD;
		given = name;
		how |= FOLLOW;
	}
	place.hash = __fathom_record_hash(name);
	struct known *known = __fathom_record_known(place.hash);
	if (result != NOT_MADE && known->contents && !(known->is_link && how & FOLLOW))
		return place;
	long error = look_through(directory, given, status_of(directory, given), how);
	place.hash = __fathom_record_hash(name);
	place.is_there = !error;
	if (error == -ENOENT && !__fathom_record_made(name))
		look_above();
	return place;
}

static int how_of(const struct path_call *path_call, const struct call *call)
{
	int how = path_call->how, flags = 0;
	if (how & FOLLOW_4)
		return call->args[4] & AT_SYMLINK_FOLLOW ? how | FOLLOW : how;
	if (!(how & (FLAGS_2 | FLAGS_3 | FLAGS_4)))
		return how;
	flags = call->args[how & FLAGS_2 ? 2 : how & FLAGS_3 ? 3 : 4];
	return flags & AT_SYMLINK_NOFOLLOW ? how : how | FOLLOW;
}

/* Looks at the paths of a call; the hashes of those that it changes. */
static int look_for_all(const struct call *call, long result, uint64_t *changed)
{
	int n_changed = 0;
	for (size_t i = 0; i < sizeof path_calls / sizeof *path_calls; i++) {
		const struct path_call *path_call = &path_calls[i];
		if (path_call->number != call->number)
			continue;
		long directory = path_call->directory < 0 ? AT_FDCWD : (int)call->args[path_call->directory];
		const char *given = (char *)call->args[path_call->path];
		int how = how_of(path_call, call);
		struct place place = look_for(directory, given, how, result);
		if (place.hash && how & CHANGES)
			changed[n_changed++] = place.hash;
	}
	return n_changed;
}

static int changes_nothing(long number)
{
	for (size_t i = 0; i < sizeof path_calls / sizeof *path_calls; i++)
		if (path_calls[i].number == number)
			return !(path_calls[i].how & (CONTENTS | CHANGES | ALTERS));
	return 0;
}

long __fathom_record_path_call(const struct call *call)
{
	uint64_t changed[2];
	long result = changes_nothing(call->number) ? make(call) : NOT_MADE;
	struct turn turn;
	if (!__fathom_record_enter(&turn))
		return result == NOT_MADE ? make(call) : result;
	int n_changed = look_for_all(call, result, changed);
	__fathom_record_leave(&turn);
	if (result == NOT_MADE)
		result = make(call);
	if (result < 0 || !n_changed || !__fathom_record_enter(&turn))
		return result;
	while (n_changed)
		__fathom_record_known(changed[--n_changed])->made = 1;
	__fathom_record_leave(&turn);
	return result;
}

/* A descriptor whose bytes or entries are logged as the program reads them has a source. */
static void log_opening(long fd)
{
	uint32_t source = 0;
	int is_made = S_ISDIR(status.st_mode) && __fathom_record_made(name);
	if (!is_made && !__fathom_record_is_silent(&status)) {
		source = __fathom_record_source_of(&status);
		struct part parts[] = {{&source, sizeof source}, {name, strlen(name)}};
		__fathom_record_frame(FRAME_OPENED, parts, 2);
	}
	__fathom_record_set_source(fd, source);
}

static void opened(long fd, const struct place *place, long flags)
{
	/* Another thread may have used `name` meanwhile. */
	int is_named = place->hash && place->turn == turn_of_name;
	if (sys(SYS_fstat, fd, &status) < 0 ||
	    (!is_named && !__fathom_record_fd_name(fd, name, sizeof name)))
		return;
	if (!S_ISREG(status.st_mode) || __fathom_record_is_special(name)) {
		if (!(flags & O_PATH))
			log_opening(fd);
		return;
	}
	__fathom_record_set_source(fd, 0);
	int is_readable = (flags & O_ACCMODE) != O_WRONLY && !(flags & (O_PATH | O_TRUNC));
	if (is_readable && place->is_there && !__fathom_record_made(name))
		log_contents(fd, __fathom_record_known(__fathom_record_hash(name)));
}

static int how_opened(long flags)
{
	int how = 0;
	if (!(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL))
		how |= FOLLOW;
	if ((flags & O_ACCMODE) == O_WRONLY && !(flags & (O_TRUNC | O_PATH)))
		how |= CONTENTS;
	if (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC) && (flags & O_TMPFILE) != O_TMPFILE)
		how |= CHANGES;
	return how;
}

static long open_to_read(const struct call *call, long directory, const char *given, long flags)
{
	long result = make(call);
	struct turn turn;
	if (!__fathom_record_enter(&turn))
		return result;
	struct place place = look_for(directory, given, how_opened(flags), result);
	if (result >= 0)
		opened(result, &place, flags);
	__fathom_record_leave(&turn);
	return result;
}

static long open_to_write(const struct call *call, long directory, const char *given, long flags)
{
	int how = how_opened(flags);
	struct turn turn;
	if (!__fathom_record_enter(&turn))
		return make(call);
	struct place place = look_for(directory, given, how, NOT_MADE);
	__fathom_record_leave(&turn);
	long result = make(call);
	if (result < 0 || !__fathom_record_enter(&turn))
		return result;
	opened(result, &place, flags);
	if (place.hash && how & CHANGES)
		__fathom_record_known(place.hash)->made = 1;
	__fathom_record_leave(&turn);
	return result;
}

/* A descriptor's number; -1 if it is none that is followed. */
static long number(const char *digits)
{
	long value = *digits ? 0 : -1;
	for (; *digits; digits++) {
		if (*digits < '0' || *digits > '9' || value >= MAX_FDS)
			return -1;
		value = 10 * value + *digits - '0';
	}
	return value;
}

/* The standard stream that opening `path` leads to. */
static int stream_named(const char *path)
{
	static const char *const directories[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};
	if (!strcmp(path, "/dev/stdout"))
		return __fathom_record_stream(1);
	if (!strcmp(path, "/dev/stderr"))
		return __fathom_record_stream(2);
	for (int i = 0; i < 3; i++) {
		size_t length = strlen(directories[i]);
		if (!strncmp(path, directories[i], length))
			return __fathom_record_stream(number(path + length));
	}
	return 0;
}

static void follow_stream(long fd, const char *given)
{
	struct turn turn;
	int stream = stream_named(given);
	if (!stream || !__fathom_record_enter(&turn))
		return;
	__fathom_record_set_stream(fd, stream);
	__fathom_record_leave(&turn);
}

long __fathom_record_open_call(const struct call *call)
{
	int is_at = call->number == SYS_openat;
	long directory = is_at ? (int)call->args[0] : AT_FDCWD;
	const char *given = (char *)call->args[is_at];
	long flags = call->number == SYS_creat ? O_WRONLY | O_CREAT | O_TRUNC : call->args[1 + is_at];
	int writes = flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
	long result = (writes ? open_to_write : open_to_read)(call, directory, given, flags);
	if (result >= 0 && writes)
		follow_stream(result, given);
	return result;
}

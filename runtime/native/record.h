/* Recording: a native program writes down what it was given and what it reads, for fathom to run it
 * again. docs/REPLAY.md says when, docs/FORMATS.md what the file looks like.
 *
 * All state is static and belongs to whoever is between `enter` and `leave`; nothing is allocated by
 * malloc, and little is kept on the stack, for the program may be on a small one. */
#ifndef FATHOM_RECORD_H
#define FATHOM_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include "raw_sys_call.h"

/* A call of ours that the recording does not see. */
#define SYS_ARGS(n, a, b, c, d, e, f, ...) \
	raw_sys_call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define sys(...) SYS_ARGS(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

enum {
	MAX_NAME = 8192,
	/* Descriptors from this one on are not followed. */
	MAX_FDS = 4096,
};

/* In the number of a source: a pipe that the program has made itself. */
#define OWN_PIPE (1u << 31)
/* It gives bytes without end, and more of them tell nothing. */
#define RANDOM (1u << 30)

/* A frame's first byte. */
enum frame {
	FRAME_START = 'S',
	FRAME_PROGRAM = 'P',
	FRAME_IMAGE = 'I',
	FRAME_ARGUMENT = 'A',
	FRAME_VARIABLE = 'E',
	FRAME_CWD = 'C',
	FRAME_DESCRIPTOR = 'D',
	FRAME_READY = 'G',
	FRAME_FACT = 'F',
	FRAME_OPENED = 'O',
	FRAME_READ = 'R',
	FRAME_SHORT = 'B',
	FRAME_LISTED = 'L',
	FRAME_ANSWER = 'Q',
	FRAME_WRITTEN = 'W',
	FRAME_FORK = 'K',
	FRAME_EXEC = 'X',
	FRAME_NOTE = 'N',
	FRAME_EXIT = 'Z',
};

struct part {
	const void *data;
	size_t size;
};

/* One system call of the program. */
struct call {
	long number, args[6];
	/* For calls at which a thread can be cancelled, else null: its flag, and how they are made. */
	volatile void *cancel;
	long (*make)(const struct call *);
};

/* What `leave` has to put back. */
struct turn {
	uint64_t mask;
	int blocked;
};

/* record.c */
void __fathom_record_start(const char *directory, int argc, char **argv);
int __fathom_record_is_on(void);
/* Makes a call of the program, and logs what there is to it. */
long __fathom_record_call(const struct call *call);
/* The program has made this process, or none if it is no id. */
void __fathom_record_child(long child);

/* record_source.c: where bytes come from that are logged as they are read, by descriptor.
 * 0 stands for all the others. */
uint32_t __fathom_record_source(long fd);
void __fathom_record_set_source(long fd, uint32_t source);
uint32_t __fathom_record_new_source(void);
/* What the program has had from its start has one source, by whatever name it is opened again. */
uint32_t __fathom_record_source_of(const struct stat *status);
uint32_t __fathom_record_inherited_source(const struct stat *status);
/* Which standard stream a descriptor writes to, 1 or 2: the one that the program was given, by
 * whatever descriptor. 0 stands for all the others. */
int __fathom_record_stream(long fd);
void __fathom_record_set_stream(long fd, int stream);
/* Descriptors are copied, closed, made. */
void __fathom_record_after_descriptor_call(const struct call *call, long result);

/* record_start.c: argv, environment, descriptors and the rest of what a program starts with. */
void __fathom_record_beginning(const char *program, int argc, char **argv);

/* record_log.c: the file, in a directory whose name is not too long. */
int __fathom_record_open(const char *directory);
const char *__fathom_record_directory(void);
/* Whether the calling process is the one that is recorded, and not a child that shares its memory
 * or has a copy of it; then nobody else is in here until `leave`, and no handler runs. */
int __fathom_record_enter(struct turn *turn);
void __fathom_record_leave(const struct turn *turn);
/* The program has a signal handler: signals are blocked in here from now on. */
void __fathom_record_handler_set(void);
void __fathom_record_frame(enum frame kind, const struct part *parts, int n_parts);
void __fathom_record_note(const char *text, const char *about);
/* No frames from now on; the last one says why. */
void __fathom_record_stop(const char *why);

/* record_files.c: files of our own, opened without a trace in descriptors or limits. */
long __fathom_record_file(long directory, const char *path, long flags);
/* Whether a file may have that size: the soft limit is raised where it has to be. Then `restore`. */
int __fathom_record_allow_size(uint64_t size);
void __fathom_record_restore_size(void);
/* The name of what a descriptor stands for; its length, 0 if unknown. */
size_t __fathom_record_fd_name(long fd, char *name, size_t size);
char *__fathom_record_add(char *end, const char *text);
char *__fathom_record_add_hex(char *end, uint64_t value);

/* record_blob.c: a copy of a regular file's contents in DIR/blobs; its name there, null without.
 * Of an ordinary file the beginning; of a program all, and the copy can be executed. */
const char *__fathom_record_blob(long fd, const struct stat *status);
const char *__fathom_record_image(long fd, const struct stat *status);
/* Odd, and different for files with different contents unless they are too young to tell. */
uint64_t __fathom_record_contents_key(const struct stat *status);
int __fathom_record_is_young(const struct stat *status);

/* record_known.c: paths that were looked at, by hash. */
struct known {
	uint64_t hash, contents;
	int is_link;
	/* The program has changed it, or made it. */
	int made;
};
struct known *__fathom_record_known(uint64_t hash);
uint64_t __fathom_record_hash(const char *name);
/* Whether the program made this path or a directory above it. */
int __fathom_record_made(const char *name);

/* record_name.c: the absolute name of a path, without "." and ".."; false if there is none. */
int __fathom_record_name(char *name, long directory, const char *given);
/* Replaces the name of a link by that of what it leads to. */
int __fathom_record_follow(char *name, const char *target);

/* record_path.c: calls with a path, and what stands there before they are made. */
long __fathom_record_path_call(const struct call *call);
long __fathom_record_open_call(const struct call *call);
int __fathom_record_is_special(const char *name);
int __fathom_record_is_silent(const struct stat *status);

/* record_data.c: bytes read and written. */
void __fathom_record_after_read(const struct call *call, long result);
void __fathom_record_after_write(const struct call *call, long result);

/* record_answer.c: what depends on the moment or the machine. */
void __fathom_record_answer(const struct call *call, long result);

/* record_exec.c: the environment of programs that are started has FATHOM_RECORD again. */
void __fathom_record_pass_on(const char *directory);
long __fathom_record_exec_call(const struct call *call);

static inline long make(const struct call *call)
{
	const long *args = call->args;
	if (call->make)
		return call->make(call);
	return raw_sys_call(call->number, args[0], args[1], args[2], args[3], args[4], args[5]);
}

#endif

/* Native bodies of the intrinsics: where the values of symbolic objects come from.
 *
 * FATHOM_TEST names a file of our own, KTEST_FILE one of KLEE's; docs/REPLAY.md has both formats.
 * Objects are found by name: the n-th request for a name gets the n-th object of that name, where
 * fathom's tests call the later ones NAME_1, NAME_2, ... */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../native/guard.h"
#include "../native/start.h"
#include "inputs.h"

#define MAGIC "fathom1\n"
#define MAGIC_SIZE 8
#define ASSUMPTION_FAILED 99

struct input {
	const char *name;
	size_t name_size, size;
	const unsigned char *bytes;
};

/* A position in the mapped file; `bad` once something did not fit. */
struct reader {
	const unsigned char *next, *end;
	int bad;
};

static enum { UNOPENED, NONE, FATHOM, KTEST } format;
static struct reader first_input;
static uint32_t n_ktest_inputs;
/* One byte an input, set when it was handed out; in a mapping, so as not to disturb the heap. */
static unsigned char *used;

static const unsigned char *take(struct reader *reader, size_t size)
{
	if (reader->bad || size > (size_t)(reader->end - reader->next)) {
		reader->bad = 1;
		return 0;
	}
	reader->next += size;
	return reader->next - size;
}

static uint64_t take_little_endian(struct reader *reader)
{
	const unsigned char *bytes = take(reader, 8);
	uint64_t value = 0;
	for (int i = 8; bytes && i--;)
		value = value << 8 | bytes[i];
	return value;
}

static uint32_t take_big_endian(struct reader *reader)
{
	const unsigned char *bytes = take(reader, 4);
	uint32_t value = 0;
	for (int i = 0; bytes && i < 4; i++)
		value = value << 8 | bytes[i];
	return value;
}

static int next_fathom_input(struct reader *reader, struct input *input)
{
	const unsigned char *end = memchr(reader->next, 0, reader->end - reader->next);
	if (!end)
		return 0;
	input->name = (const char *)reader->next;
	input->name_size = end - reader->next;
	take(reader, input->name_size + 1);
	input->size = take_little_endian(reader);
	input->bytes = take(reader, input->size);
	return !reader->bad;
}

static int next_ktest_input(struct reader *reader, struct input *input)
{
	input->name_size = take_big_endian(reader);
	input->name = (const char *)take(reader, input->name_size);
	input->size = take_big_endian(reader);
	input->bytes = take(reader, input->size);
	return !reader->bad;
}

static _Noreturn void damaged(const char *path)
{
	__fathom_say("not a test file: ", path);
	_exit(ASSUMPTION_FAILED);
}

static struct reader map_file(const char *path)
{
	struct stat stat;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &stat) < 0 || stat.st_size == 0)
		damaged(path);
	void *bytes = mmap(0, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		damaged(path);
	return (struct reader){bytes, (unsigned char *)bytes + stat.st_size, 0};
}

static void open_fathom(const char *path)
{
	struct reader reader = map_file(path);
	const unsigned char *magic = take(&reader, MAGIC_SIZE);
	if (!magic || memcmp(magic, MAGIC, MAGIC_SIZE) != 0)
		damaged(path);
	format = FATHOM;
	first_input = reader;
}

/* Magic, version, arguments, since version 2 two numbers, then the objects. */
static void open_ktest(const char *path)
{
	struct reader reader = map_file(path);
	const unsigned char *magic = take(&reader, 5);
	if (!magic || (memcmp(magic, "KTEST", 5) != 0 && memcmp(magic, "BOUT\n", 5) != 0))
		damaged(path);
	uint32_t version = take_big_endian(&reader);
	uint32_t n_args = take_big_endian(&reader);
	for (uint32_t i = 0; i < n_args && !reader.bad; i++)
		take(&reader, take_big_endian(&reader));
	if (version >= 2)
		take(&reader, 8);
	n_ktest_inputs = take_big_endian(&reader);
	if (reader.bad)
		damaged(path);
	format = KTEST;
	first_input = reader;
}

static void open_test(void)
{
	const char *ktest = getenv("KTEST_FILE");
	format = NONE;
	if (__fathom_test)
		open_fathom(__fathom_test);
	else if (ktest)
		open_ktest(ktest);
	if (format == NONE)
		return;
	/* Every input takes more than one byte of the file. */
	size_t size = first_input.end - first_input.next + 1;
	used = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (used == MAP_FAILED)
		format = NONE;
}

int __fathom_replaying(void)
{
	if (format == UNOPENED)
		open_test();
	return format != NONE;
}

static int is_named(const struct input *input, const char *name, int numbered)
{
	size_t size = strlen(name);
	if (input->name_size < size || memcmp(input->name, name, size) != 0)
		return 0;
	const char *rest = input->name + size, *end = input->name + input->name_size;
	if (!numbered || rest == end)
		return !numbered && rest == end;
	if (*rest++ != '_' || rest == end)
		return 0;
	while (rest < end && *rest >= '0' && *rest <= '9')
		rest++;
	return rest == end;
}

/* The first input of that name, or of that name and a number, that was not handed out yet. */
static int find(const char *name, int numbered, struct input *input)
{
	struct reader reader = first_input;
	for (size_t i = 0; format == FATHOM || i < n_ktest_inputs; i++) {
		int more = format == FATHOM ? next_fathom_input(&reader, input)
		                            : next_ktest_input(&reader, input);
		if (!more)
			return 0;
		if (!used[i] && is_named(input, name, numbered)) {
			used[i] = 1;
			return 1;
		}
	}
	return 0;
}

static void note_missing(const char *name)
{
	struct line line = {0};
	__fathom_line_string(&line, "event", "missing-input");
	__fathom_line_string(&line, "name", name);
	__fathom_line_write(&line, 0, 0);
}

void __fathom_next_object(void *object, size_t size, const char *name)
{
	struct input input;
	if (!name)
		name = "unnamed";
	memset(object, 0, size);
	if (!__fathom_replaying())
		return;
	if (find(name, 0, &input) || find(name, 1, &input))
		memcpy(object, input.bytes, input.size < size ? input.size : size);
	else
		note_missing(name);
}

void __fathom_say(const char *prefix, const char *message)
{
	dprintf(2, "fathom: %s%s\n", prefix, message ? message : "");
}

void __fathom_assumption_failed(void)
{
	struct line line = {0};
	__fathom_line_string(&line, "event", "assumption-failed");
	__fathom_line_write(&line, 0, 0);
	__fathom_say("assumption failed", 0);
	_exit(ASSUMPTION_FAILED);
}

void __fathom_report_error(const char *file, int line, const char *message, const char *kind)
{
	dprintf(2, "fathom: %s:%d: %s (%s)\n", file ? file : "?", line, message ? message : "",
		kind ? kind : "error");
	abort();
}

/* Guard mode: writing the report without the C library's streams, from a signal handler too. */
#include <fcntl.h>
#include <sys/syscall.h>
#include "guard.h"
#include "raw_sys_call.h"

static const char *report_path;
static long report_fd = -1;

void __fathom_report_to(const char *path, const char *descriptor)
{
	report_path = path;
	for (long value = 0; descriptor && *descriptor >= '0' && *descriptor <= '9'; descriptor++)
		report_fd = value = value * 10 + (*descriptor - '0');
}

static void put(struct line *line, char c)
{
	/* Two bytes stay free for the end of the line. */
	if (line->length < sizeof line->text - 2)
		line->text[line->length++] = c;
}

void __fathom_line_text(struct line *line, const char *text)
{
	while (*text)
		put(line, *text++);
}

static void put_hex(struct line *line, uintptr_t value, int digits)
{
	while (digits--)
		put(line, "0123456789abcdef"[value >> 4 * digits & 15]);
}

static void put_key(struct line *line, const char *key)
{
	char before = line->length ? line->text[line->length - 1] : '{';
	if (!line->length)
		put(line, '{');
	if (before != '{')
		put(line, ',');
	put(line, '"');
	__fathom_line_text(line, key);
	__fathom_line_text(line, "\":\"");
}

void __fathom_line_string(struct line *line, const char *key, const char *value)
{
	put_key(line, key);
	for (; *value; value++) {
		unsigned char c = *value;
		if (c >= ' ' && c < 127 && c != '"' && c != '\\') {
			put(line, c);
		} else {
			__fathom_line_text(line, "\\u");
			put_hex(line, c, 4);
		}
	}
	put(line, '"');
}

void __fathom_line_number(struct line *line, const char *key, uintptr_t value)
{
	int digits = 1;
	while (digits < 16 && value >> 4 * digits)
		digits++;
	put_key(line, key);
	__fathom_line_text(line, "0x");
	put_hex(line, value, digits);
	put(line, '"');
}

void __fathom_line_write(struct line *line, const void *bytes, size_t size)
{
	line->text[line->length++] = '}';
	line->text[line->length++] = '\n';
	long fd = report_fd;
	if (report_path)
		fd = raw_sys_call(SYS_open, (long)report_path,
			O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600, 0, 0, 0);
	if (fd < 0)
		return;
	raw_sys_call(SYS_write, fd, (long)line->text, line->length, 0, 0, 0);
	/* The kernel stops where the bytes are not readable. */
	if (report_path && size)
		raw_sys_call(SYS_write, fd, (long)bytes, size, 0, 0, 0);
	if (report_path)
		raw_sys_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

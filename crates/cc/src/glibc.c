// What programs compiled with glibc's headers call and musl does not have: names that stand for a
// newer standard, and the checking forms of _FORTIFY_SOURCE. The engine checks every access
// itself, so the sizes are not looked at.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }
intmax_t __isoc23_strtoimax(const char *s, char **end, int base) { return strtoimax(s, end, base); }
uintmax_t __isoc23_strtoumax(const char *s, char **end, int base) { return strtoumax(s, end, base); }
int __isoc23_vscanf(const char *f, va_list a) { return vscanf(f, a); }
int __isoc23_vsscanf(const char *s, const char *f, va_list a) { return vsscanf(s, f, a); }
int __isoc23_vfscanf(FILE *s, const char *f, va_list a) { return vfscanf(s, f, a); }

#define FORWARD(call) va_list a; va_start(a, f); int result = call; va_end(a); return result
int __isoc23_scanf(const char *f, ...) { FORWARD(vscanf(f, a)); }
int __isoc23_sscanf(const char *s, const char *f, ...) { FORWARD(vsscanf(s, f, a)); }
int __isoc23_fscanf(FILE *s, const char *f, ...) { FORWARD(vfscanf(s, f, a)); }

int __printf_chk(int flag, const char *f, ...) { FORWARD(vprintf(f, a)); }
int __fprintf_chk(FILE *s, int flag, const char *f, ...) { FORWARD(vfprintf(s, f, a)); }
int __dprintf_chk(int fd, int flag, const char *f, ...) { FORWARD(vdprintf(fd, f, a)); }
int __asprintf_chk(char **p, int flag, const char *f, ...) { FORWARD(vasprintf(p, f, a)); }
int __sprintf_chk(char *s, int flag, size_t size, const char *f, ...) { FORWARD(vsprintf(s, f, a)); }
int __snprintf_chk(char *s, size_t n, int flag, size_t size, const char *f, ...) { FORWARD(vsnprintf(s, n, f, a)); }
int __vprintf_chk(int flag, const char *f, va_list a) { return vprintf(f, a); }
int __vfprintf_chk(FILE *s, int flag, const char *f, va_list a) { return vfprintf(s, f, a); }
int __vasprintf_chk(char **p, int flag, const char *f, va_list a) { return vasprintf(p, f, a); }
int __vsprintf_chk(char *s, int flag, size_t size, const char *f, va_list a) { return vsprintf(s, f, a); }
int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *f, va_list a) { return vsnprintf(s, n, f, a); }

void *__memcpy_chk(void *d, const void *s, size_t n, size_t size) { return memcpy(d, s, n); }
void *__mempcpy_chk(void *d, const void *s, size_t n, size_t size) { return mempcpy(d, s, n); }
void *__memmove_chk(void *d, const void *s, size_t n, size_t size) { return memmove(d, s, n); }
void *__memset_chk(void *d, int c, size_t n, size_t size) { return memset(d, c, n); }
char *__strcpy_chk(char *d, const char *s, size_t size) { return strcpy(d, s); }
char *__stpcpy_chk(char *d, const char *s, size_t size) { return stpcpy(d, s); }
char *__strcat_chk(char *d, const char *s, size_t size) { return strcat(d, s); }
char *__strncpy_chk(char *d, const char *s, size_t n, size_t size) { return strncpy(d, s, n); }
char *__strncat_chk(char *d, const char *s, size_t n, size_t size) { return strncat(d, s, n); }
char *__fgets_chk(char *d, size_t size, int n, FILE *s) { return fgets(d, n, s); }
size_t __fread_chk(void *d, size_t room, size_t size, size_t n, FILE *s) { return fread(d, size, n, s); }
ssize_t __read_chk(int fd, void *d, size_t n, size_t size) { return read(fd, d, n); }
ssize_t __pread_chk(int fd, void *d, size_t n, off_t at, size_t size) { return pread(fd, d, n, at); }
ssize_t __readlink_chk(const char *p, char *d, size_t n, size_t size) { return readlink(p, d, n); }
char *__getcwd_chk(char *d, size_t n, size_t size) { return getcwd(d, n); }
char *__realpath_chk(const char *p, char *d, size_t size) { return realpath(p, d); }
long __fdelt_chk(long fd) { return fd / 64; }

int _IO_putc(int c, FILE *s) { return putc(c, s); }

static void say(int status, int number, const char *file, unsigned line, const char *f, va_list a) {
  fflush(stdout);
  fprintf(stderr, "%s:", program_invocation_name);
  if (file) fprintf(stderr, "%s:%u:", file, line);
  fputc(' ', stderr);
  vfprintf(stderr, f, a);
  if (number) fprintf(stderr, ": %s", strerror(number));
  fputc('\n', stderr);
  if (status) exit(status);
}
void error(int status, int number, const char *f, ...) {
  va_list a;
  va_start(a, f);
  say(status, number, 0, 0, f, a);
  va_end(a);
}
void error_at_line(int status, int number, const char *file, unsigned line, const char *f, ...) {
  va_list a;
  va_start(a, f);
  say(status, number, file, line, f, a);
  va_end(a);
}

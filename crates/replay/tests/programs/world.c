/* Says what world it is in; crashes on some contents of a file with an absolute path. */
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void describe(void)
{
	char cwd[100] = "", line[20] = "";
	struct stat in;
	int closed = fstat(0, &in) < 0;
	if (!closed && read(0, line, sizeof line - 1) < 0)
		strcpy(line, "?");
	printf("cwd %s, umask %03o, ", getcwd(cwd, sizeof cwd), umask(0));
	printf("stdin %s %s, ", closed ? "closed" : S_ISFIFO(in.st_mode) ? "pipe" : "file", line);
	printf("HOME %s, ", getenv("HOME"));
	printf("passwd %d, null %d, link %d\n", access("/etc/passwd", F_OK),
		open("/dev/null", O_RDWR) >= 0, access("/home/link/settings", F_OK));
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		describe();
		return 0;
	}
	int extra;
	klee_make_symbolic(&extra, sizeof extra, "extra");
	char line[20] = "";
	FILE *file = fopen("/etc/settings", "r");
	if (!file)
		return 2;
	fgets(line, sizeof line, file);
	char *block = malloc(4);
	block[line[0] == 'X' ? 4 : 0] = 'x'; /* overrun */
	return line[0] == 'E' ? 40 + extra : 0;
}

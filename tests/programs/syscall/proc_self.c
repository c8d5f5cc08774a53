// /proc/self tells of the program itself.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
static int global;
static int mapped(void *address, const char *wanted) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    int found = 0;
    while (fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        char access[8];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, access) != 3) return -1;
        if ((unsigned long)address >= start && (unsigned long)address < end)
            found += !strcmp(access, wanted);
    }
    fclose(maps);
    return found;
}
static int has(const char *path, const char *text) {
    static char buffer[65536];
    int fd = open(path, O_RDONLY);
    if (fd < 0) return -1;
    ssize_t n, size = 0;
    while ((n = read(fd, buffer + size, sizeof buffer - 1 - size)) > 0) size += n;
    close(fd);
    buffer[size] = 0;
    return memmem(buffer, size, text, strlen(text)) != NULL;
}
int main(int argc, char **argv) {
    char local, path[4096], target[4096], here[4096];
    printf("%d %d %d %d\n", mapped(&local, "rw-p"), mapped(&global, "rw-p"),
           mapped((void *)main, "r-xp"), mapped(NULL, "rw-p"));
    printf("%d\n", has("/proc/self/maps", "[stack]"));
    prctl(PR_SET_NAME, "renamed");
    printf("%d %d\n", has("/proc/self/comm", "renamed\n"), has("/proc/self/status", "Name:\trenamed\n"));
    snprintf(path, sizeof path, "/proc/%d/stat", getpid());
    snprintf(target, sizeof target, "%d (renamed) R %d ", getpid(), getppid());
    printf("%d\n", has(path, target));
    printf("%d\n", has("/proc/self/cmdline", argv[0]));
    snprintf(target, sizeof target, "PATH=%s", getenv("PATH"));
    printf("%d\n", has("/proc/self/environ", target));
    printf("%d\n", has("/proc/self/limits", "Max open files"));
    printf("%d\n", has("/proc/self/mounts", " / "));
    ssize_t n = readlink("/proc/self/exe", target, sizeof target - 1);
    target[n < 0 ? 0 : n] = 0;
    printf("%d %d\n", target[0] == '/', access(target, R_OK));
    n = readlink("/proc/self/cwd", target, sizeof target - 1);
    target[n < 0 ? 0 : n] = 0;
    printf("%d\n", strcmp(target, getcwd(here, sizeof here)));
    chdir("/usr/..");
    n = readlink("/proc/self/cwd", target, sizeof target - 1);
    printf("%zd %c\n", n, target[0]);
    int fd = open("/etc/passwd", O_RDONLY), copy = dup2(fd, 30);
    DIR *dir = opendir("/proc/self/fd");
    int seen = 0;
    for (struct dirent *e; (e = readdir(dir));) seen += !strcmp(e->d_name, "30");
    closedir(dir);
    n = readlink("/proc/self/fd/30", target, sizeof target - 1);
    target[n < 0 ? 0 : n] = 0;
    printf("%d %d %s\n", copy, seen, target);
    n = readlink("/proc/self", target, sizeof target - 1);
    target[n < 0 ? 0 : n] = 0;
    printf("%d\n", atoi(target) == getpid());
    printf("%d\n", open("/proc/999999999/maps", O_RDONLY));
    return 0;
}

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}
static void list(const char *path) {
    DIR *d = opendir(path);
    if (!d) {
        printf("%s: %s\n", path, strerror(errno));
        return;
    }
    char *names[64];
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) {
        char text[300];
        snprintf(text, sizeof text, "%s/%d", e->d_name,
                 e->d_type == DT_DIR   ? 1
                 : e->d_type == DT_REG ? 2
                 : e->d_type == DT_LNK ? 3
                                       : 4);
        names[n++] = strdup(text);
    }
    closedir(d);
    qsort(names, n, sizeof *names, by_name);
    for (int i = 0; i < n; i++) {
        printf("%s ", names[i]);
        free(names[i]);
    }
    printf("\n");
}

int main(void) {
    printf("%d ", mkdir("a", 0755));
    printf("%d ", mkdir("a", 0755));
    printf("%s\n", strerror(errno));
    printf("%d ", mkdir("no/such", 0755));
    printf("%s\n", strerror(errno));
    mkdir("a/b", 0700);
    close(open("a/file", O_CREAT | O_WRONLY, 0644));
    symlink("file", "a/link");
    list("a");
    list("a/b");
    list("missing");
    list("a/file");
    list(".");
    printf("%d ", rmdir("a"));
    printf("%s\n", strerror(errno));
    printf("%d ", unlink("a/b"));
    printf("%d\n", errno == EISDIR || errno == EPERM);
    printf("%d ", rmdir("a/file"));
    printf("%s\n", strerror(errno));
    printf("%d %d\n", rename("a/file", "a/b/moved"), rename("a/b", "c"));
    list("a");
    list("c");
    printf("%d ", rename("missing", "x"));
    printf("%s\n", strerror(errno));
    char here[500], there[500];
    printf("%d\n", getcwd(here, sizeof here) != NULL);
    printf("%d ", chdir("c"));
    getcwd(there, sizeof there);
    puts(there + strlen(here));
    list(".");
    printf("%d ", chdir("missing"));
    printf("%s\n", strerror(errno));
    printf("%d\n", chdir(".."));
    int dir = open("c", O_RDONLY | O_DIRECTORY);
    printf("%d %d %d\n", dir >= 0, mkdirat(dir, "in", 0755), fchdir(dir));
    list(".");
    printf("%d %d\n", unlinkat(dir, "moved", 0), unlinkat(dir, "in", AT_REMOVEDIR));
    chdir("..");
    int fd = openat(dir, "at", O_CREAT | O_RDWR, 0600);
    printf("%d %d\n", fd >= 0, faccessat(dir, "at", F_OK, 0));
    close(fd);
    printf("%d\n", renameat(dir, "at", AT_FDCWD, "here"));
    list("c");
    list(".");
    DIR *d = fdopendir(dir);
    rewinddir(d);
    int count = 0;
    while (readdir(d)) count++;
    printf("%d %d\n", count, dirfd(d) == dir);
    closedir(d);
    printf("%d %d\n", rmdir("c"), unlink("a/link"));
    printf("%d\n", rmdir("a"));
    list(".");
    char small[2];
    printf("%d ", getcwd(small, 2) != NULL);
    printf("%s\n", strerror(errno));
    return 0;
}

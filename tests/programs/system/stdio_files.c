#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    FILE *f = fopen("t", "w");
    for (int i = 0; i < 3000; i++) fprintf(f, "line %d\n", i);
    printf("%ld\n", ftell(f));
    fclose(f);
    f = fopen("t", "r+");
    char line[100];
    int n = 0;
    while (fgets(line, sizeof line, f)) n++;
    printf("%d %d %d\n", n, feof(f) != 0, ferror(f));
    rewind(f);
    fseek(f, 5000, SEEK_SET);
    fgets(line, 100, f);
    fgets(line, 100, f);
    printf("%s", line);
    fseek(f, -10, SEEK_END);
    fgets(line, 100, f);
    fputs(line, stdout);
    ungetc('Z', f);
    printf("%c\n", fgetc(f));
    fseek(f, 0, SEEK_SET);
    fputs("LINE", f);
    fflush(f);
    fseek(f, 0, SEEK_SET);
    fscanf(f, "%s %d", line, &n);
    printf("%s %d\n", line, n);
    fclose(f);
    f = fopen("bin", "wb");
    double d[100];
    for (int i = 0; i < 100; i++) d[i] = i / 7.0;
    printf("%zu\n", fwrite(d, sizeof *d, 100, f));
    fclose(f);
    f = fopen("bin", "rb");
    double e[200];
    printf("%zu %d\n", fread(e, sizeof *e, 200, f), memcmp(d, e, sizeof d));
    fclose(f);
    f = fopen("missing", "r");
    printf("%d %s\n", f == NULL, strerror(errno));
    f = tmpfile();
    fputs("temp", f);
    rewind(f);
    printf("%s\n", fgets(line, 100, f));
    fclose(f);
    char *mem;
    size_t size;
    f = open_memstream(&mem, &size);
    fprintf(f, "%05d|%-5s|", 42, "ab");
    fclose(f);
    printf("%s %zu\n", mem, size);
    free(mem);
    f = fmemopen("a b c", 5, "r");
    char w[5];
    while (fscanf(f, "%4s", w) == 1) printf("<%s>", w);
    fclose(f);
    char *l = NULL;
    size_t cap = 0;
    f = fopen("t", "r");
    ssize_t len = getline(&l, &cap, f);
    printf("\n%zd %s", len, l);
    free(l);
    fclose(f);
    printf("%d %d\n", remove("t"), rename("bin", "t"));
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("unbuffered\n");
    fprintf(stderr, "to stderr %d\n", 1);
    perror("perror");
    freopen("t", "w", stdout);
    printf("gone");
    return 0;
}

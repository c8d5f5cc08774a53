#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <regex.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    regex_t r;
    regmatch_t m[3];
    const char *text = "key = value42 ; x=7";
    printf("%d\n", regcomp(&r, "([a-z]+) *= *([a-z0-9]+)", REG_EXTENDED));
    int at = 0;
    while (!regexec(&r, text + at, 3, m, 0)) {
        printf("%.*s -> %.*s\n", (int)(m[1].rm_eo - m[1].rm_so), text + at + m[1].rm_so,
               (int)(m[2].rm_eo - m[2].rm_so), text + at + m[2].rm_so);
        at += m[0].rm_eo;
    }
    regfree(&r);
    char e[100];
    int c = regcomp(&r, "(unclosed", REG_EXTENDED);
    regerror(c, &r, e, 100);
    puts(e);
    printf("%d %d %d\n", fnmatch("*.c", "main.c", 0), fnmatch("[a-c]?", "bz", 0),
           fnmatch("*.c", "x.h", 0));
    close(open("a1.t", O_CREAT, 0644));
    close(open("a2.t", O_CREAT, 0644));
    close(open("b.t", O_CREAT, 0644));
    glob_t g;
    printf("%d %d\n", glob("a*.t", 0, 0, &g) != 0, glob("zz*", 0, 0, &g) == GLOB_NOMATCH);
    glob("*.t", 0, 0, &g);
    for (size_t i = 0; i < g.gl_pathc; i++) printf("%s ", g.gl_pathv[i]);
    printf("\n");
    globfree(&g);
    return 0;
}

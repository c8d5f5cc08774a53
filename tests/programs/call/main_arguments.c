//@ args: one 'two words' '' --flag=x
//@ env: FATHOM_TRIAL=a=b
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
int main(int argc, char **argv, char **envp) {
    printf("%d\n", argc);
    for (int i = 1; i <= argc; i++) printf("<%s>\n", argv[i] ? argv[i] : "(null)");
    printf("%s %d\n", getenv("FATHOM_TRIAL"), getenv("NOT_THERE") == NULL);
    printf("%d\n", envp == environ);
    setenv("FATHOM_TRIAL", "changed", 1);
    putenv("NEW=1");
    unsetenv("HOME");
    printf("%s %s %d\n", getenv("FATHOM_TRIAL"), getenv("NEW"), getenv("HOME") == NULL);
    argv[1][0] = 'O';
    char *t = argv[2];
    t[strlen(t) - 1] = 'S';
    printf("%s %s %s\n", argv[1], argv[2], strrchr(argv[0], '/'));
    return argc * 10;
}

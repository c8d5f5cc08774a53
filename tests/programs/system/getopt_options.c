//@ args: -a -b val --long=5 --flag rest -x more
#include <getopt.h>
#include <stdio.h>
int main(int argc, char **argv) {
    static const struct option o[] = {
        {"long", required_argument, 0, 'l'}, {"flag", no_argument, 0, 'f'}, {0}};
    int c;
    opterr = 1;
    while ((c = getopt_long(argc, argv, "ab:", o, NULL)) != -1)
        printf("%c %s\n", c, optarg ? optarg : "-");
    for (int i = optind; i < argc; i++) printf("<%s>", argv[i]);
    printf("\n");
    return 0;
}

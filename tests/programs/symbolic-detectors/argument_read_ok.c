//@ args: --sym-arg 2
int main(int argc, char **argv) {
    (void)argc;
    char *p = argv[1];
    if (*p++ != '"') return 1;
    while (*p && *p != '"') p++;
    return 0;
}
// expect: exits 0 1

//@ args: --sym-args 0 2 1
int main(int argc, char **argv) {
    if (argc > 1 && argv[argc - 1][0] == 'q') return 10 + argc;
    return argc;
}
// expect: exits 1 2 3 12 13

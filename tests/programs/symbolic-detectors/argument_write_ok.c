//@ args: --sym-arg 3
int main(int argc, char **argv) {
    (void)argc;
    char *end = argv[1];
    while (*end) end++;
    if (end == argv[1]) return 1;
    end[-1] = 0;
    return 0;
}
// expect: exits 0 1

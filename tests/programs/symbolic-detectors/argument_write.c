// The line's end is cut off as if it were always there.
//@ args: --sym-arg 3
int main(int argc, char **argv) {
    (void)argc;
    char *end = argv[1];
    while (*end) end++;
    end[-1] = 0; // expect: bug out-of-bounds-write
    return 0;
}
// expect: exits 0

//@ args: abc
int main(int argc, char **argv) {
    (void)argc;
    volatile int i = 4;
    return argv[1][i]; // expect: bug out-of-bounds-read
}

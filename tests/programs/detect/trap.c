int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1)
        __builtin_trap(); // expect: bug abort
    return 0;
}

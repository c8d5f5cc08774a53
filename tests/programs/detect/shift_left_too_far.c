int main(int argc, char **argv) {
    (void)argv;
    int n = argc + 31;
    return 1 << n; // expect: bug shift-overflow
}

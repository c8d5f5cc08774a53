int main(int argc, char **argv) {
    (void)argv;
    return 10 / (argc - 1); // expect: bug division-by-zero
}

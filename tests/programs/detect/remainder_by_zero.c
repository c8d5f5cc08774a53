int main(int argc, char **argv) {
    (void)argv;
    return (int)(10ul % (unsigned long)(argc - 1)); // expect: bug division-by-zero
}

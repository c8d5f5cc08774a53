int main(int argc, char **argv) {
    (void)argv;
    __int128 zero = argc - 1;
    return (int)((__int128)5 / zero); // expect: bug division-by-zero
}

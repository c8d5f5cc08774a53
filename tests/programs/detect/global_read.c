static const int table[3] = {1, 2, 3};
int main(int argc, char **argv) {
    (void)argv;
    return table[argc + 2]; // expect: bug out-of-bounds-read
}

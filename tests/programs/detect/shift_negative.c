int main(int argc, char **argv) {
    (void)argv;
    return 8 >> -argc; // expect: bug shift-overflow
}

int main(int argc, char **argv) {
    (void)argv;
    unsigned long n = (unsigned long)argc + 63;
    return (int)(~0ul >> n); // expect: bug shift-overflow
}

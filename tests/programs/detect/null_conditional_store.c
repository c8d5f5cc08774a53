// The store must not become an assumption that the condition is false.
int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1)
        *(int *)0 = 7; // expect: bug null-dereference
    return 0;
}

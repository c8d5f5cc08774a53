int main(int argc, char **argv) {
    int *p = argc > 100 ? (int *)argv : 0;
    *p = 7; // expect: bug null-dereference
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    int n = argc + 4;
    char v[n];
    for (int i = 0; i <= n; i++)
        v[i] = 0; // expect: bug out-of-bounds-write
    return v[0];
}

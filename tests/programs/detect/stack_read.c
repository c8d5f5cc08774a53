int main(void) {
    int a[4] = {1, 2, 3, 4};
    volatile int i = -1;
    return a[i]; // expect: bug out-of-bounds-read
}

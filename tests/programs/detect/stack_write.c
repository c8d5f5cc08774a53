static void fill(int *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] = i; // expect: bug out-of-bounds-write
}
int main(void) {
    int a[8];
    fill(a, 9);
    return a[0];
}

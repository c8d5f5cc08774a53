int main(void) {
    char a[4] = "abc";
    int *p = (int *)a;
    return p[1]; // expect: bug out-of-bounds-read
}

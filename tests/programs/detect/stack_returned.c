static int *escape(int n) {
    int local[4] = {n, n, n, n};
    int *p = local;
    return p;
}
int main(void) {
    int *p = escape(3);
    return *p; // expect: bug use-after-free
}

//@ cc: -Wno-infinite-recursion
static int forever(int n) {
    volatile char pad[1000];
    pad[0] = (char)n;
    return forever(n + 1) + pad[0]; // expect: bug stack-overflow
}
int main(void) { return forever(0); }

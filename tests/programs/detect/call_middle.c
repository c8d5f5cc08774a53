static int target(void) { return 1; }
int main(void) {
    int (*volatile f)(void) = (int (*)(void))((char *)target + 1);
    return f(); // expect: bug invalid-call
}

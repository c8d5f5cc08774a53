int main(void) {
    int (*volatile f)(void) = 0;
    return f(); // expect: bug invalid-call
}

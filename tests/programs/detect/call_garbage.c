int main(void) {
    int (*volatile f)(int) = (int (*)(int))0x1234567;
    return f(1); // expect: bug invalid-call
}

static int data[4] = {0xc3, 0, 0, 0};
int main(void) {
    int (*volatile f)(void) = (int (*)(void))(void *)data;
    return f(); // expect: bug invalid-call
}

static int target(int v) { return v + 1; }
int main(void) {
    int (*volatile f)(int) = target;
    void *p = (void *)f;
    return ((int (*)(int))p)(41);
}
// expect: exit 42

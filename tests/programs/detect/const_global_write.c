static const int limit[2] = {1, 2};
int main(void) {
    int *volatile p = (int *)limit;
    p[1] = 3; // expect: bug read-only-write
    return limit[1];
}

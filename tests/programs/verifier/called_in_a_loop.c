extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x < 0 || x > 9) return 0;
        sum = sum * 10 + x;
    }
    if (sum == 507) reach_error(); // expect: bug reported
    return 0;
}
// expect: input nondet_int=5
// expect: input nondet_int_1=0
// expect: input nondet_int_2=7

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x <= 10);
    if (x * x == 81) __VERIFIER_error(); // expect: bug reported
    return 0;
}
// expect: input nondet_int=9

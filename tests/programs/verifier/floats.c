extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    if (__VERIFIER_nondet_float() == 1.5f) return 1;
    if (__VERIFIER_nondet_double() == -2.25) return 2;
    return 0;
}
// expect: exits 0 1 2

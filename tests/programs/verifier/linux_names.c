extern unsigned char __VERIFIER_nondet_U8(void);
extern unsigned short __VERIFIER_nondet_U16(void);
extern unsigned __VERIFIER_nondet_U32(void);
extern unsigned __VERIFIER_nondet_unsigned(void);
int main(void) {
    if (__VERIFIER_nondet_U8() == 200) return 1;
    if (__VERIFIER_nondet_U16() == 50000) return 2;
    if (__VERIFIER_nondet_U32() == 3000000000u) return 3;
    if (__VERIFIER_nondet_unsigned() == 4) return 4;
    return 0;
}
// expect: exits 0 1 2 3 4

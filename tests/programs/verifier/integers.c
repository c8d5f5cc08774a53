extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_char() != -1) return 0;
    if (__VERIFIER_nondet_uchar() != 255) return 0;
    if (__VERIFIER_nondet_short() != -2) return 0;
    if (__VERIFIER_nondet_ushort() != 65535) return 0;
    if (__VERIFIER_nondet_int() != -3) return 0;
    if (__VERIFIER_nondet_uint() != 4000000000u) return 0;
    if (__VERIFIER_nondet_long() != -4) return 0;
    if (__VERIFIER_nondet_ulong() != ~0ul) return 0;
    if (__VERIFIER_nondet_longlong() != -5) return 0;
    if (__VERIFIER_nondet_ulonglong() != ~1ull) return 0;
    reach_error(); // expect: bug reported
    return 1;
}
// expect: exits 0
// expect: paths 11
// expect: input nondet_char=-1
// expect: input nondet_short=-2
// expect: input nondet_int=-3
// expect: input nondet_longlong=-5

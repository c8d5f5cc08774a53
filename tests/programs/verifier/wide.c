extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
int main(void) {
    if (__VERIFIER_nondet_int128() == (__int128)-7) return 1;
    if (__VERIFIER_nondet_uint128() >> 100 == 5) return 2;
    return 0;
}
// expect: exits 0 1 2

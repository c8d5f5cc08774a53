// Each predicate, against slots and constants, at each width.
int u8(unsigned char a) { if (a >= 200) return 1; return 0; }
int s8(signed char a, signed char b) { if (a <= b) return 1; return 0; }
int s16(short a) { return a > -5; }
int s32(int a, int b) { if (a >= b) return 1; if (7 > a) return 2; return a != b; }
int u64(unsigned long a, unsigned long b) { if (a <= b) return 1; return a > 10; }
int wide(__int128 a, __int128 b) { if (a < b) return 1; return 0; }

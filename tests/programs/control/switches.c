#include <limits.h>
#include <stdio.h>
static int dense(int v) {
    switch (v) {
    case 0: return 10;
    case 1: return 11;
    case 2:
    case 3: return 12;
    case 4: v += 100;
    case 5: return v;
    case 6: return 16;
    case 7: return 17;
    default: return -1;
    case 8: return 18;
    }
}
static int sparse(int v) {
    switch (v) {
    case -1000000: return 1;
    case 0: return 2;
    case 77: return 3;
    case 12345: return 4;
    case INT_MAX: return 5;
    case INT_MIN: return 6;
    }
    return 0;
}
static int wide(long long v) {
    switch (v) {
    case 1LL << 40: return 1;
    case -(1LL << 40): return 2;
    case LLONG_MAX: return 3;
    case LLONG_MIN: return 4;
    case 5: return 5;
    default: return 0;
    }
}
static int ranges(int v) {
    switch (v) {
    case '0' ... '9': return 'd';
    case 'a' ... 'z':
    case 'A' ... 'Z': return 'l';
    case -50 ... - 1: return 'n';
    case 1000 ... 100000: return 'b';
    default: return '?';
    }
}
static int bytes(unsigned char c) {
    switch (c) {
    case 0: return 0;
    case 127: return 1;
    case 128: return 2;
    case 255: return 3;
    }
    return 4;
}
static int schar(signed char c) {
    switch (c) {
    case -128: return 0;
    case -1: return 1;
    case 127: return 2;
    default: return 3;
    }
}
static int huge(__int128 v) {
    switch ((long long)(v >> 60)) {
    case 3: return 1;
    case -3: return 2;
    default: return 0;
    }
}
enum color { RED, GREEN = 5, BLUE };
static const char *name(enum color c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return "none";
}
static int duff(char *to, const char *from, int n) {
    int k = (n + 7) / 8;
    char *start = to;
    switch (n % 8) {
    case 0: do { *to++ = *from++;
        case 7: *to++ = *from++;
        case 6: *to++ = *from++;
        case 5: *to++ = *from++;
        case 4: *to++ = *from++;
        case 3: *to++ = *from++;
        case 2: *to++ = *from++;
        case 1: *to++ = *from++;
        } while (--k > 0);
    }
    return (int)(to - start);
}
int main(void) {
    for (int i = -2; i < 12; i++) printf("%d ", dense(i));
    int s[] = {-1000000, 0, 77, 12345, INT_MAX, INT_MIN, 1, -1};
    for (int i = 0; i < 8; i++) printf("%d ", sparse(s[i]));
    long long w[] = {1LL << 40, -(1LL << 40), LLONG_MAX, LLONG_MIN, 5, 0, (1LL << 40) + 1};
    for (int i = 0; i < 7; i++) printf("%d ", wide(w[i]));
    printf("\n");
    int r[] = {'0', '5', '9', '/', ':', 'a',  'z',    'M',
               '[', -1,  -50, -51, 999, 1000, 100000, 100001};
    for (int i = 0; i < 16; i++) printf("%c", ranges(r[i]));
    printf("\n");
    for (int i = 0; i < 256; i += 1) printf("%d%d", bytes((unsigned char)i), schar((signed char)i));
    printf("\n%d %d %d\n", huge((__int128)3 << 60), huge(-((__int128)3 << 60)), huge(1));
    printf("%s %s %s %s\n", name(RED), name(GREEN), name(BLUE), name(3));
    char out[32] = {0};
    for (int n = 1; n < 20; n++) {
        out[n] = 0;
        printf("%d %.*s\n", duff(out, "abcdefghijklmnopqrstuvwxyz", n), n, out);
    }
    return 0;
}

#include <stdio.h>

static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int even(unsigned n);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static void hanoi(int n, int from, int to, int *moves) {
    if (!n) return;
    hanoi(n - 1, from, 6 - from - to, moves);
    ++*moves;
    hanoi(n - 1, 6 - from - to, to, moves);
}
static int queens(int row, unsigned cols, unsigned d1, unsigned d2, int n) {
    if (row == n) return 1;
    int count = 0;
    for (int c = 0; c < n; c++) {
        unsigned bit = 1u << c;
        if (cols & bit || d1 >> (row + c) & 1 || d2 >> (row - c + n) & 1) continue;
        count += queens(row + 1, cols | bit, d1 | 1u << (row + c), d2 | 1u << (row - c + n), n);
    }
    return count;
}
static long deep(int n) {
    volatile char pad[40];
    pad[n % 40] = (char)n;
    return n ? pad[n % 40] + deep(n - 1) : 0;
}
static void permute(char *s, int k, int n, int *count) {
    if (k == n) {
        if (++*count % 20 == 1) puts(s);
        return;
    }
    for (int i = k; i < n; i++) {
        char t = s[k];
        s[k] = s[i];
        s[i] = t;
        permute(s, k + 1, n, count);
        t = s[k];
        s[k] = s[i];
        s[i] = t;
    }
}

int main(void) {
    printf("%d %d %d\n", ackermann(2, 5), even(1001), odd(777));
    int moves = 0;
    hanoi(10, 1, 3, &moves);
    printf("%d %d\n", moves, queens(0, 0, 0, 0, 6));
    printf("%ld\n", deep(20000));
    char s[] = "abcde";
    int count = 0;
    permute(s, 0, 5, &count);
    printf("%d\n", count);
    return 0;
}

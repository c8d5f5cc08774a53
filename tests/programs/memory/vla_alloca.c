#include <alloca.h>
#include <stdio.h>
#include <string.h>

static long triangle(int n) {
    int rows[n][n];
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < n; i++) {
        rows[i][0] = 1;
        for (int j = 1; j <= i; j++) rows[i][j] = rows[i - 1][j - 1] + (j < i ? rows[i - 1][j] : 0);
    }
    unsigned long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) s = s * 3 + (unsigned long)rows[i][j];
    return (long)s + (long)sizeof rows;
}

static int sum(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j] * (i + 1);
    return s;
}

static char *join(char *out, int n) {
    for (int i = 0; i < n; i++) {
        char *piece = alloca(i + 2);
        memset(piece, 'a' + i, i + 1);
        piece[i + 1] = 0;
        strcat(out, piece);
    }
    return out;
}

int main(void) {
    for (int n = 1; n < 12; n++) printf("%ld\n", triangle(n));
    int n = 3, m = 4;
    int a[n][m];
    for (int i = 0; i < 12; i++) a[i / 4][i % 4] = i;
    printf("%d\n", sum(n, m, a));
    char out[100] = "";
    puts(join(out, 8));
    long total = 0;
    for (int i = 1; i < 2000; i++) {
        char block[i];
        block[i - 1] = (char)i;
        block[0] = 1;
        total += block[i - 1] + (long)sizeof block;
    }
    printf("%ld\n", total);
    typedef int row[m];
    row *p = a + 1;
    printf("%d %zu\n", (*p)[2], sizeof(row));
    goto end;
end:;
    int k = 5;
    {
        double v[k];
        v[k - 1] = 2.5;
        printf("%g\n", v[4]);
    }
    return 0;
}

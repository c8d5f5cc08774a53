#include <stdio.h>

int grid[3][4][5];
static const int primes[] = {2, 3, 5, 7, 11, 13};

int main(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++) grid[i][j][k] = i * 100 + j * 10 + k;
    int (*plane)[5] = grid[1];
    int *cell = &grid[2][1][3];
    printf("%d %d %d %d\n", plane[2][4], cell[0], cell[-7], *(*(*(grid + 2) + 3) + 4));
    printf("%td %td\n", cell - &grid[0][0][0], &grid[2] - &grid[0]);
    int sum = 0;
    for (const int *p = primes; p < primes + 6; p++) sum = sum * 3 + *p;
    printf("%d\n", sum);
    char text[] = "hello";
    text[0] ^= 32;
    char *rev[5];
    for (int i = 0; i < 5; i++) rev[4 - i] = text + i;
    for (int i = 0; i < 5; i++) putchar(*rev[i]);
    putchar('\n');
    short s[10] = {[3] = 7, 8, [9] = -1};
    for (int i = 0; i < 10; i++) printf("%d ", s[i]);
    printf("\n");
    long long neg = -2;
    int *mid = &grid[1][0][0];
    printf("%d %d\n", mid[neg], 3 [mid]);
    unsigned char idx = 255;
    unsigned char table[256];
    for (int i = 0; i < 256; i++) table[i] = (unsigned char)(255 - i);
    printf("%d %d\n", table[idx], table[(unsigned char)(idx + 1)]);
    return 0;
}

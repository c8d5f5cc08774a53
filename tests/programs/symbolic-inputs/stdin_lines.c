//@ run: --sym-stdin 3
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[16];
    int n = 0;
    while (fgets(line, sizeof line, stdin)) n++;
    switch (n) {
    case 1: return 1;
    case 2: return 2;
    case 3: return 3;
    default: return 9;
    }
}
// expect: exits 1 2 3

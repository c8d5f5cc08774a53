#include <stdio.h>
int main(void) {
    int *keep = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int local = i;
        keep = &local;
        sum += *keep;
    }
    printf("%d\n", sum);
    return 0;
}

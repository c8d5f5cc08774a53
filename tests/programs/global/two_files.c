//@ cc: tests/programs/global/support/other.c -I tests/programs/global/support
#include <stdio.h>
#include "other.h"
int shared = 5;
static int hidden(void) { return 1; }
int main(void) {
    printf("%d %d %d\n", hidden(), other_hidden(), bump(3));
    printf("%d %s\n", shared, other_text);
    printf("%d\n", common_value);
    return 0;
}

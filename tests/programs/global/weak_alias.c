#include <stdio.h>
int missing(int) __attribute__((weak));
extern int missing_data __attribute__((weak));
__attribute__((weak)) int present(int x) { return x + 1; }
int original(int x) { return x * 2; }
int renamed(int) __attribute__((alias("original")));
static int data = 7;
extern int data_alias __attribute__((alias("data")));
__attribute__((weak, alias("original"))) int weak_renamed(int);
static int (*const indirect)(int) = renamed;
__attribute__((visibility("hidden"))) int hidden = 3;
static int *pointer_to_alias = &data_alias;
int asm_named(void) __asm__("other_name");
int asm_named(void) { return 12; }
int main(void) {
    printf("%d %d\n", missing == NULL, &missing_data == NULL);
    printf("%d\n", missing ? missing(1) : -1);
    printf("%d %d %d %d\n", present(1), renamed(4), weak_renamed(5), indirect(6));
    data_alias = 9;
    printf("%d %d %d\n", data, *pointer_to_alias, renamed == original);
    printf("%d %d\n", hidden, asm_named());
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void first(void) { puts("constructor"); }
__attribute__((constructor(200))) static void early(void) { puts("constructor 200"); }
__attribute__((constructor(300))) static void later(void) { puts("constructor 300"); }
__attribute__((destructor)) static void last(void) { puts("destructor"); }
__attribute__((destructor(200))) static void very_last(void) { puts("destructor 200"); }
static void a(void) { puts("a"); }
static void b(void) {
    puts("b");
    atexit(a);
}

int main(void) {
    puts("main");
    atexit(a);
    atexit(b);
    atexit(a);
    printf("buffered without newline");
    exit(11);
}

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner;
static int depth;
static void dive(int n, jmp_buf env) {
    volatile char pad[64];
    pad[0] = (char)n;
    depth++;
    if (n == 0) longjmp(env, 7);
    dive(n - 1, env);
    printf("never %d\n", pad[0]);
}
static int guarded(int fail) {
    volatile int step = 0;
    switch (setjmp(inner)) {
    case 0:
        step = 1;
        if (fail) longjmp(inner, fail);
        step = 2;
        return step;
    case 1: return step + 100;
    default: return step + 200;
    }
}
static void nested(void) {
    volatile int tries = 0;
    int r = setjmp(inner);
    printf("inner %d tries %d\n", r, tries);
    if (tries++ < 3) longjmp(inner, tries * 2);
    longjmp(outer, 99);
}

struct frame {
    jmp_buf env;
    struct frame *up;
};
static struct frame *top;
static _Noreturn void throw(int code) { longjmp(top->env, code); }
static int work(int n) {
    struct frame f;
    f.up = top;
    top = &f;
    int code = setjmp(f.env);
    if (!code) {
        if (n == 0) throw(5);
        if (n % 3 == 0) {
            top = f.up;
            return work(n - 1) + 1;
        }
        work(n - 1);
        top = f.up;
        return n;
    }
    top = f.up;
    if (n < 4 && top) throw(code + n);
    return code * 1000;
}

int main(void) {
    int r = setjmp(outer);
    printf("outer %d depth %d\n", r, depth);
    if (r == 0) dive(50, outer);
    if (r == 7) nested();
    printf("%d %d %d %d\n", guarded(0), guarded(1), guarded(2), guarded(-3));
    if (!setjmp(outer))
        longjmp(outer, 0);
    else
        puts("zero becomes one");
    sigjmp_buf env;
    r = sigsetjmp(env, 1);
    printf("sig %d\n", r);
    if (r < 3) siglongjmp(env, r + 1);
    printf("%d\n", work(10));
    for (volatile int i = 0; i < 5; i++) {
        int v = setjmp(outer);
        if (v == 0) longjmp(outer, i + 1);
        printf("%d ", v);
    }
    printf("\n");
    return 0;
}

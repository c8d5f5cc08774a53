#include <stdio.h>
enum { PUSH, ADD, MUL, DUP, DEC, JNZ, PRINT, HALT };
static int interpret(const int *code) {
    static void *const labels[] = {&&push, &&add, &&mul, &&dup, &&dec, &&jnz, &&print, &&halt};
    int stack[16], *sp = stack;
    const int *pc = code;
    int steps = 0;
#define NEXT                                                                                       \
    do {                                                                                           \
        steps++;                                                                                   \
        goto *labels[*pc++];                                                                       \
    } while (0)
    NEXT;
push:
    *sp++ = *pc++;
    NEXT;
add:
    sp--;
    sp[-1] += *sp;
    NEXT;
mul:
    sp--;
    sp[-1] *= *sp;
    NEXT;
dup:
    *sp = sp[-1];
    sp++;
    NEXT;
dec:
    sp[-1]--;
    NEXT;
jnz:
    if (sp[-1])
        pc = code + *pc;
    else
        pc++;
    NEXT;
print:
    printf("%d\n", sp[-1]);
    NEXT;
halt:
    return steps;
}
static int relative(int n) {
    static const int offsets[] = {&&a - &&a, &&b - &&a, &&c - &&a};
    int r = 0;
    goto *(&&a + offsets[n]);
a:
    r += 1;
b:
    r += 10;
c:
    r += 100;
    return r;
}
int main(void) {
    const int program[] = {PUSH,  5,    PUSH, 7,   ADD,   PRINT, DUP, MUL,
                           PRINT, PUSH, 10,   DEC, PRINT, JNZ,   11,  HALT};
    printf("%d\n", interpret(program));
    printf("%d %d %d\n", relative(0), relative(1), relative(2));
    void *where = &&there;
    int n = 0;
again:
    n++;
    where = &&there;
    goto *where;
there:
    if (n < 5) {
        where = n == 4 ? &&out : &&again;
        goto *where;
    }
out:
    printf("%d\n", n);
    return 0;
}

#include <fathom.h>
struct command { char letter; int (*run)(int); };
static int twice(int x) { return 2 * x; }
static int next(int x) { return x + 1; }
static const struct command commands[] = {{'d', twice}, {'h', 0}, {'n', next}};
int main(void) {
    char letter;
    fathom_make_symbolic(&letter, 1, "letter");
    for (int i = 0; i < 3; i++) {
        if (commands[i].letter == letter && commands[i].run) return commands[i].run(5);
    }
    return 0;
}
// expect: exits 0 6 10

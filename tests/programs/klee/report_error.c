#include <klee/klee.h>
int main(void) {
    if (klee_int("x") == 8) klee_report_error(__FILE__, __LINE__, "eight", "eight.err"); // expect: bug reported
    return 0;
}
// expect: input x=8

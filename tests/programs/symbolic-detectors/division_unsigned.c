// The average of a table's chosen part, which may be empty.
#include <fathom.h>
#include <stdint.h>
static const uint64_t samples[4] = {10, 20, 30, 40};
int main(void) {
    uint8_t chosen;
    fathom_make_symbolic(&chosen, 1, "chosen");
    uint64_t sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        if (chosen >> i & 1) {
            sum += samples[i];
            count++;
        }
    }
    if (sum / count > 40) return 1; // expect: bug division-by-zero
    return 0;
}
// expect: exits 0

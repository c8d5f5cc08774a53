// An index that is a large term, and one value of it too large for the table.
#include <fathom.h>
static int table[100];
int main(void) {
    unsigned char s[8];
    fathom_make_symbolic(s, sizeof s, "s");
    unsigned h = 5381;
    for (int i = 0; i < 8; i++) {
        h = h * 33 + s[i];
        h ^= h >> 7;
        h += s[(i + 3) % 8] * (s[i] ^ 0x55u);
    }
    return table[h % 101]; // expect: bug out-of-bounds-read
}

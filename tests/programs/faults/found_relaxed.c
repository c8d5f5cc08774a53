//@ run: --inject-faults --relaxed-checks --sym-stdin 2
#include <unistd.h>

static int classify(const unsigned char *text) {
    if (text[0] == 'x')            // expect: bug injected-division-by-zero
        return text[1] + 1;        // expect: bug injected-division-by-zero
    return 0;
}

int main(void) {
    unsigned char text[2];
    read(0, text, 2);
    return classify(text) > 5;
}
// expect: exits 0 1

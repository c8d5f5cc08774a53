#include <fathom.h>
#include <string.h>
static const char *slots[8];
static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h & 7;
}
int main(void) {
    slots[hash("if")] = "if";
    slots[hash("do")] = "do";
    char word[3];
    fathom_make_symbolic(word, sizeof word, "word");
    word[2] = 0;
    const char *slot = slots[hash(word)];
    if (slot && !strcmp(slot, word)) return word[0] == 'i' ? 1 : 2;
    return 0;
}
// expect: exits 0 1 2

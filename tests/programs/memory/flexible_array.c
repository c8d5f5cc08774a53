#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    size_t length;
    char kind;
    short data[];
};

static struct message *make(size_t n) {
    struct message *m = malloc(sizeof *m + n * sizeof m->data[0]);
    m->length = n;
    m->kind = 'k';
    for (size_t i = 0; i < n; i++) m->data[i] = (short)(i * i - 7);
    return m;
}

int main(void) {
    for (size_t n = 0; n < 6; n++) {
        struct message *m = make(n);
        long sum = 0;
        for (size_t i = 0; i < m->length; i++) sum += m->data[i];
        printf("%zu %c %ld %zu\n", m->length, m->kind, sum, sizeof *m);
        m = realloc(m, sizeof *m + 100 * sizeof(short));
        m->data[99] = 5;
        printf("%d\n", m->data[99] + (n ? m->data[0] : 0));
        free(m);
    }
    return 0;
}

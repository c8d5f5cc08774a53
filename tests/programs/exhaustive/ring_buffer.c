// Five operations of any kind: what comes out is what went in, in order.
#include <assert.h>
#include <fathom.h>
struct ring { unsigned char items[2], head, count; };
static int put(struct ring *ring, unsigned char item) {
    if (ring->count == sizeof ring->items) return 0;
    ring->items[(ring->head + ring->count++) % sizeof ring->items] = item;
    return 1;
}
static int get(struct ring *ring, unsigned char *item) {
    if (ring->count == 0) return 0;
    *item = ring->items[ring->head];
    ring->head = (ring->head + 1) % sizeof ring->items;
    ring->count--;
    return 1;
}
int main(void) {
    struct ring ring = {{0}, 0, 0};
    unsigned char ops[5], next_in = 1, next_out = 1, item;
    fathom_make_symbolic(ops, sizeof ops, "ops");
    for (int i = 0; i < 5; i++) {
        if (ops[i] & 1) {
            if (put(&ring, next_in)) next_in++;
        } else if (get(&ring, &item)) {
            assert(item == next_out++);
        }
    }
    assert(ring.count == next_in - next_out);
    return 0;
}
// expect: paths 32
// expect: covered

#include <assert.h>
#include <fathom.h>
struct entry { int key; char name[4]; };
static struct entry entries[4] = {{10, "ten"}, {20, "twe"}, {30, "thi"}, {40, "for"}};
int main(void) {
    int i = fathom_range(0, 4, "i");
    struct entry *e = &entries[i];
    e->key++;
    if (e->name[1] == 'h') {
        assert(e->key == 31);
        return 1;
    }
    if (entries[3].key == 41) {
        assert(i == 3);
        return 3;
    }
    return 0;
}
// expect: exits 0 1 3

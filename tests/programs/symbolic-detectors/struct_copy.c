// A whole record is taken from behind the table's end.
#include <fathom.h>
struct record { int id; char name[12]; };
static struct record records[3] = {{1, "a"}, {2, "b"}, {3, "c"}};
static struct record find(unsigned i) {
    return records[i]; // expect: bug out-of-bounds-read
}
int main(void) {
    struct record record = find(fathom_int("i") & 3);
    if (record.id != record.name[0] - 'a' + 1) return 1;
    return 0;
}
// expect: exits 0

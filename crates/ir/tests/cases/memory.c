// Addresses are folded into the accesses that use them.
struct item { char tag; short count; struct item *next; int values[4]; };
int table[16];
int field(struct item *item) { return item->tag + item->count; }
int element(struct item *item, int i) { return item->next->values[i]; }
void constants(struct item *item) { item->tag = 1; item->values[2] = 7; item->next = 0; }
int global(unsigned char i) { table[3] = 5; return table[i]++; }
int bump(int *a, long i) { return a[i] += 2; }

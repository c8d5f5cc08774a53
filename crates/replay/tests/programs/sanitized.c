/* One error, or none, by name. A comment marks the line that a test expects. */
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static int table[4] = {1, 2, 3, 4};
static volatile int sink;

int main(int argc, char **argv)
{
	volatile int n = argc + 2; /* 4 */
	const char *name = argv[1];
	char local[4] = "abc";
	char *p = malloc(4);
	if (strcmp(name, "global") == 0)
		sink = table[n]; /* global */
	if (strcmp(name, "local") == 0)
		local[n] = 1; /* local */
	if (strcmp(name, "heap") == 0)
		p[n] = 1; /* heap */
	if (strcmp(name, "copy") == 0)
		memcpy(p, "abcde", n + 1); /* copy */
	free(p);
	if (strcmp(name, "after-free") == 0)
		sink = p[0]; /* after-free */
	if (strcmp(name, "double-free") == 0)
		free(p); /* double-free */
	if (strcmp(name, "invalid-free") == 0)
		free(local + n - 4); /* invalid-free */
	if (strcmp(name, "null") == 0)
		sink = *(int *)(long)(n - 4); /* null */
	if (strcmp(name, "overflow") == 0)
		sink = 0x7fffffff + n; /* overflow */
	if (strcmp(name, "shift") == 0)
		sink = 1 << (n + 28); /* shift */
	if (strcmp(name, "divide") == 0)
		sink = n / (n - 4); /* divide */
	if (strcmp(name, "object") == 0) {
		int index;
		klee_make_symbolic(&index, sizeof index, "index");
		sink = table[index]; /* object */
	}
	return 7;
}

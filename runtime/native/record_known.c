/* Recording: which paths the program has looked at, and which it has made itself. */
#include <sys/mman.h>
#include <sys/syscall.h>
#include "record.h"

#define FIRST_SIZE 1024

/* Open addressing, at most half full; a hash of 0 is a free place. */
static struct known *table;
static size_t size, used;

static struct known *place(struct known *in, size_t n, uint64_t hash)
{
	size_t i = hash % n;
	while (in[i].hash && in[i].hash != hash)
		i = (i + 1) % n;
	return &in[i];
}

static int grow(void)
{
	size_t wanted = size ? 2 * size : FIRST_SIZE;
	long mapped = sys(SYS_mmap, 0, wanted * sizeof *table, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapped < 0 && mapped > -4096)
		return 0;
	struct known *larger = (void *)mapped;
	for (size_t i = 0; i < size; i++)
		if (table[i].hash)
			*place(larger, wanted, table[i].hash) = table[i];
	if (table)
		sys(SYS_munmap, table, size * sizeof *table);
	table = larger;
	size = wanted;
	return 1;
}

struct known *__fathom_record_known(uint64_t hash)
{
	static struct known nowhere;
	if (2 * used >= size && !grow()) {
		__fathom_record_stop("recording stopped: no memory for its paths");
		return &nowhere;
	}
	struct known *known = place(table, size, hash);
	used += !known->hash;
	known->hash = hash;
	return known;
}

static uint64_t step(uint64_t hash, char c)
{
	return (hash ^ (unsigned char)c) * 0x100000001b3;
}

#define BASIS 0xcbf29ce484222325

uint64_t __fathom_record_hash(const char *name)
{
	uint64_t hash = BASIS;
	while (*name)
		hash = step(hash, *name++);
	return hash | 1;
}

int __fathom_record_made(const char *name)
{
	uint64_t hash = BASIS;
	for (; size && *name; name++) {
		if (*name == '/' && place(table, size, hash | 1)->made)
			return 1;
		hash = step(hash, *name);
	}
	return size && place(table, size, hash | 1)->made;
}

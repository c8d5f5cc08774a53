/* Guard mode's allocator: every block has pages of its own with inaccessible ones behind them, at
 * addresses that only grow. A freed block stays inaccessible for good.
 *
 * Address space is reserved in regions, inaccessible; a block is carved off the current region by
 * making its pages accessible, one system call. Each live block splits the kernel's list of
 * mappings in two places, and that list is limited: beyond MAX_LIVE blocks the ordinary allocator
 * serves. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "guard.h"
#include "libc.h"
#include "lock.h"
#include "raw_sys_call.h"

void *__libc_aligned_alloc(size_t alignment, size_t size);

/* Whoever calls a function below has linked its ordinary twin. A program with an allocator of its own
 * must not get musl's: calloc would take the program's blocks for musl's. */
#pragma weak __libc_malloc
#pragma weak __libc_aligned_alloc
#pragma weak __libc_realloc
#pragma weak __libc_free

#define PAGE 4096UL
/* Inaccessible pages behind each block: small strides past the end fault too. */
#define GAP (16 * PAGE)
#define REGION (1UL << 36)
#define MAX_SIZE (1UL << 40)
#define MAX_LIVE 30000
#define MAX_BLOCKS (1UL << 28)
#define BLOCKS_STEP (1UL << 16)

enum guard __fathom_guard;

static volatile int lock[1];
/* In order of address within a region, and of creation over all. */
static struct block *blocks;
static size_t n_blocks, blocks_ready, n_live;
static struct region {
	uintptr_t start, end, next;
	size_t first_block;
} regions[64];
static size_t n_regions;
/* The ordinary allocator has given blocks out: an unknown address may be one of them. */
static int fell_back;

static uintptr_t reserve(size_t size)
{
	long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	long result = raw_sys_call(SYS_mmap, 0, size, PROT_NONE, flags, -1, 0);
	return result < 0 && result > -4096 ? 0 : result;
}

static int accessible(uintptr_t page, size_t size)
{
	return !size ||
		raw_sys_call(SYS_mprotect, page, size, PROT_READ | PROT_WRITE, 0, 0, 0) == 0;
}

static struct block *new_block(void)
{
	if (!blocks)
		blocks = (void *)reserve(MAX_BLOCKS * sizeof *blocks);
	if (!blocks || n_blocks == MAX_BLOCKS)
		return 0;
	if (n_blocks == blocks_ready) {
		if (!accessible((uintptr_t)(blocks + blocks_ready), BLOCKS_STEP * sizeof *blocks))
			return 0;
		blocks_ready += BLOCKS_STEP;
	}
	return &blocks[n_blocks];
}

static struct region *region_with(size_t size)
{
	struct region *region = n_regions ? &regions[n_regions - 1] : 0;
	if (region && region->end - region->next >= size)
		return region;
	if (n_regions == sizeof regions / sizeof *regions)
		return 0;
	size_t wanted = size > REGION / 2 ? 2 * size : REGION;
	uintptr_t start = 0;
	/* Where address space is limited, smaller regions may do. */
	for (; wanted >= size && !(start = reserve(wanted)); wanted /= 4)
		;
	if (!start)
		return 0;
	region = &regions[n_regions++];
	/* The first page stays inaccessible: it guards the first block's start. */
	*region = (struct region){start, start + wanted, start + GAP, n_blocks};
	return region;
}

static void *carve(size_t size, size_t alignment, enum block_kind kind)
{
	size_t room = (size + PAGE - 1) / PAGE * PAGE;
	size_t slack = alignment > PAGE ? alignment : 0;
	struct region *region = region_with(room + slack + 2 * GAP);
	struct block *block = new_block();
	if (!region || !block)
		return 0;
	uintptr_t page = region->next;
	if (slack)
		page = (page + alignment - 1) / alignment * alignment;
	uintptr_t end = page + room;
	uintptr_t address = end - size;
	if (__fathom_guard == GUARD_START || alignment > PAGE)
		address = page;
	else if (size)
		address = address / alignment * alignment;
	if (!accessible(page, room))
		return 0;
	region->next = end + GAP;
	*block = (struct block){address, size, page, room / PAGE, BLOCK_LIVE, kind};
	n_blocks++;
	n_live++;
	return (void *)address;
}

void *__fathom_guard_malloc(size_t size, size_t alignment, enum block_kind kind)
{
	void *result = 0;
	if (__fathom_guard == GUARD_ALIGNED && alignment < 16 && kind == BLOCK_HEAP)
		alignment = 16;
	LOCK(lock);
	if (size <= MAX_SIZE && alignment <= MAX_SIZE && n_live < MAX_LIVE)
		result = carve(size, alignment, kind);
	if (!result)
		fell_back = 1;
	UNLOCK(lock);
	if (result || kind != BLOCK_HEAP)
		return result;
	return alignment > 16 ? __libc_aligned_alloc(alignment, size) : __libc_malloc(size);
}

static struct block *find(uintptr_t address)
{
	for (size_t r = n_regions; r--;) {
		if (address < regions[r].start || address >= regions[r].end)
			continue;
		size_t low = regions[r].first_block;
		size_t high = r + 1 < n_regions ? regions[r + 1].first_block : n_blocks;
		/* The last block whose pages start at or below the address. */
		while (high - low > 1) {
			size_t middle = low + (high - low) / 2;
			if (blocks[middle].page <= address)
				low = middle;
			else
				high = middle;
		}
		return low < high ? &blocks[low] : 0;
	}
	return 0;
}

const struct block *__fathom_guard_block(uintptr_t address)
{
	struct block *block = find(address);
	/* In front of a page a block that starts there was meant, if the one before ends far off. */
	if (block && __fathom_guard == GUARD_START && block + 1 < blocks + n_blocks &&
	    block[1].page > address && block[1].page - address <= GAP / 2)
		block++;
	return block;
}

/* The live heap block that starts here; a report and the end where there is none. */
static struct block *owned(uintptr_t address)
{
	struct block *block = find(address);
	if (!block && fell_back)
		return 0;
	if (!block || block->address != address || block->kind != BLOCK_HEAP)
		__fathom_guard_misuse("invalid-free", address);
	if (block->state == BLOCK_FREED)
		__fathom_guard_misuse("double-free", address);
	return block;
}

static void release(struct block *block)
{
	block->state = BLOCK_FREED;
	n_live--;
	if (!block->pages)
		return;
	long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
	raw_sys_call(SYS_mmap, block->page, block->pages * PAGE, PROT_NONE, flags, -1, 0);
}

void __fathom_guard_free(void *p)
{
	if (!p)
		return;
	LOCK(lock);
	struct block *block = owned((uintptr_t)p);
	if (block)
		release(block);
	UNLOCK(lock);
	if (!block)
		__libc_free(p);
}

void *__fathom_guard_realloc(void *p, size_t size)
{
	if (!p)
		return __fathom_guard_malloc(size, 1, BLOCK_HEAP);
	LOCK(lock);
	struct block *block = owned((uintptr_t)p);
	size_t old = block ? block->size : 0;
	UNLOCK(lock);
	if (!block)
		return __libc_realloc(p, size);
	void *moved = __fathom_guard_malloc(size, 1, BLOCK_HEAP);
	if (moved) {
		memcpy(moved, p, old < size ? old : size);
		__fathom_guard_free(p);
	}
	return moved;
}

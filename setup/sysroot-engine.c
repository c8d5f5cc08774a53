/* Stands in for the engine when the check of sysroot.sh runs whole-program bitcode natively:
 * the functions that the bitcode leaves undefined and the native libc.a cannot give alone. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

__asm__(".globl _start\n"
	"_start:\n"
	"	xor %rbp, %rbp\n"
	"	mov %rsp, %rdi\n"
	"	andq $-16, %rsp\n"
	"	call _start_c\n");

uintptr_t __fathom_get_tp(void)
{
	uintptr_t tp;
	__asm__("mov %%fs:0, %0" : "=r"(tp));
	return tp;
}

/* An allocator that never reuses memory, with the size in front of each block. */
static _Alignas(4096) char pool[1 << 24];
static size_t used;

void *aligned_alloc(size_t align, size_t size)
{
	size_t start = (used + sizeof(size_t) + align - 1) & -align;
	used = start + size;
	memcpy(pool + start - sizeof(size_t), &size, sizeof(size_t));
	return pool + start;
}

void *malloc(size_t size)
{
	return aligned_alloc(16, size);
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}

void *realloc(void *old, size_t size)
{
	void *block = malloc(size);
	if (old) {
		size_t old_size;
		memcpy(&old_size, (char *)old - sizeof(size_t), sizeof(size_t));
		memcpy(block, old, old_size < size ? old_size : size);
	}
	return block;
}

void free(void *block)
{
}

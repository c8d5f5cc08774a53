/* Replaces musl's bit-set version: a table written at a symbolic index costs far more than this. */
#include <string.h>

size_t strcspn(const char *s, const char *reject)
{
	size_t n = 0;
	for (; s[n]; n++) {
		const char *r = reject;
		while (*r && *r != s[n])
			r++;
		if (*r)
			break;
	}
	return n;
}

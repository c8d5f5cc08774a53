/* Replaces musl's bit-set version: a table written at a symbolic index costs far more than this. */
#include <string.h>

size_t strspn(const char *s, const char *accept)
{
	size_t n = 0;
	for (; s[n]; n++) {
		const char *a = accept;
		while (*a && *a != s[n])
			a++;
		if (!*a)
			break;
	}
	return n;
}

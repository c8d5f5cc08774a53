/* Replaces musl's two-way search, whose tables are indexed by the bytes of the needle. */
#include <string.h>

char *strstr(const char *haystack, const char *needle)
{
	for (;; haystack++) {
		size_t i = 0;
		while (needle[i] && haystack[i] == needle[i])
			i++;
		if (!needle[i])
			return (char *)haystack;
		if (!haystack[i])
			return 0;
	}
}

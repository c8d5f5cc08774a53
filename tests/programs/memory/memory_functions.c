#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static char buffer[64];
static void reset(void) {
    for (int i = 0; i < 63; i++) buffer[i] = (char)('A' + i % 26);
    buffer[63] = 0;
}

int main(void) {
    reset();
    memmove(buffer + 3, buffer, 20);
    puts(buffer);
    reset();
    memmove(buffer, buffer + 3, 20);
    puts(buffer);
    reset();
    memmove(buffer + 5, buffer + 5, 9);
    puts(buffer);
    reset();
    memcpy(buffer, buffer + 32, 31);
    puts(buffer);
    reset();
    memset(buffer + 10, '.', 20);
    memset(buffer, 0x15a, 2);
    puts(buffer);
    for (volatile size_t n = 0; n < 9; n++) {
        reset();
        memcpy(buffer, buffer + 30, n);
        memset(buffer + 20, '-', n);
        memmove(buffer + 41, buffer + 40, n);
        puts(buffer);
    }
    reset();
    printf("%d %d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abd", 2),
           memcmp("b", "a", 1) > 0);
    printf("%td %d\n", (char *)memchr(buffer, 'Q', 63) - buffer, memchr(buffer, '!', 63) == 0);
    struct {
        int a;
        char b[13];
        double c;
    } x = {1, "twelve chars", 2.5}, y;
    y = x;
    x.b[0] = 'T';
    printf("%s %s %g\n", x.b, y.b, y.c);
    printf("%zu %zu %d %d\n", strlen(buffer), strnlen(buffer, 5), strcmp("a", "b") < 0,
           strncmp("abc", "abd", 2));
    char t[40];
    strcpy(t, "one");
    strcat(t, ",two");
    strncat(t, ",three!!", 6);
    puts(t);
    strncpy(t, "xyz", 2);
    puts(t);
    char *save, list[] = "a:b::c";
    for (char *p = strtok_r(list, ":", &save); p; p = strtok_r(0, ":", &save)) printf("<%s>", p);
    printf("\n%s %s %s %zu %zu\n", strchr("hello", 'l'), strrchr("hello", 'l'),
           strstr("haystack", "st"), strspn("aabc", "ab"), strcspn("hello", "lo"));
    printf("%s %d\n", (char *)memmem("abcdefgh", 8, "def", 3), strcasecmp("HeLLo", "hEllO"));
    return 0;
}

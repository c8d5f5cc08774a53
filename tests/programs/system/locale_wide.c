#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
    printf("%s\n", setlocale(LC_ALL, "C"));
    wchar_t w[20];
    printf("%zu\n", mbstowcs(w, "plain text", 20));
    printf("%ls %zu\n", w, wcslen(w));
    printf("%d %d %d\n", isalpha('x') != 0, iswdigit(L'7') != 0, towupper(L'q'));
    setlocale(LC_CTYPE, "C.UTF-8");
    wchar_t c;
    printf("%d %x\n", mbtowc(&c, "\xc3\xa9", 2), (unsigned)c);
    char out[8] = "";
    printf("%d %s\n", wctomb(out, 0x20ac), out);
    printf("%d %d\n", strcoll("a", "b") < 0, wcscmp(L"x", L"w"));
    swprintf(w, 20, L"%d-%ls", 5, L"wide");
    printf("%ls\n", w);
    printf("%s\n", localeconv()->decimal_point);
    return 0;
}

// CRC-32 of 1 MB, byte by byte with a table, as often as the argument says.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE (1 << 20)

static uint32_t table[256];
static unsigned char data[SIZE];

static void prepare(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[i] = value;
    }
    uint32_t random = 1;
    for (int i = 0; i < SIZE; i++) {
        random = random * 1664525 + 1013904223;
        data[i] = (unsigned char)(random >> 24);
    }
}

static uint32_t crc32(uint32_t crc, const unsigned char *bytes, size_t n) {
    crc = ~crc;
    for (size_t i = 0; i < n; i++)
        crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    uint32_t crc = 0;
    prepare();
    for (int i = 0; i < rounds; i++)
        crc = crc32(crc, data, SIZE);
    printf("%08x\n", crc);
    return 0;
}

/* 2^16 paths: 16 bytes, each compared once. */
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[16];
  int above = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 16; i++)
    if (bytes[i] > 100 + i)
      above++;
  return above & 1;
}

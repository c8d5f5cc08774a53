/* 2^20 paths: 20 bytes, each compared once. */
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[20];
  int above = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 20; i++)
    if (bytes[i] > 100 + i)
      above++;
  return above & 1;
}

/* 2^14 paths: 14 bytes, each compared once. */
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[14];
  int above = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 14; i++)
    if (bytes[i] > 100 + i)
      above++;
  return above & 1;
}

// Sums, differences and masks of six bytes against each other: every query ties some of them.
#include <klee/klee.h>

int main(void) {
  unsigned char b[6];
  int paths = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++) {
      if (b[i] + 3 * b[j] > 300 + 7 * i) paths++;
      if ((unsigned char)(b[i] - b[j]) < 90 + j) paths += 2;
      if (((b[i] ^ b[j]) & 0x1c) == 4 * i) paths += 4;
    }
  return paths & 1;
}

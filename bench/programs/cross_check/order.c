// Insertion sort of eight numbers: every order is a path, every query compares two of them.
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  uint16_t v[8];
  klee_make_symbolic(v, sizeof v, "v");
  for (int i = 1; i < 8; i++)
    for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
      uint16_t t = v[j];
      v[j] = v[j - 1];
      v[j - 1] = t;
    }
  return 0;
}

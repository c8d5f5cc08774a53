/* The figure program of pending constraints, with LENGTH bytes: half of its paths end in the assertion.
   ZERO_FIRST exchanges the sides of the first branch. */
#include <assert.h>
#include <klee/klee.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  char is_space;
  char str[LENGTH];
  klee_make_symbolic(&is_space, sizeof is_space, "is_space");
  klee_make_symbolic(str, sizeof str, "str");
#ifdef ZERO_FIRST
  if (is_space == 0)
    str[0] = 0;
  else
    str[0] = ' ';
#else
  if (is_space)
    str[0] = ' ';
  else
    str[0] = 0;
#endif
  for (int i = 0; i < LENGTH; i++)
    for (char j = 'a'; j <= 'c'; j++)
      if (str[i] > j)
        str[i]++;
  int sum = fib(15);
  assert(!is_space);
  return sum & 1;
}

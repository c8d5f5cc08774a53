/* Four ints: insertion sort against a bubble sort that makes one pass only. */
#include <assert.h>
#include <klee/klee.h>

enum { COUNT = 4 };

static void insertion_sort(int *array) {
  for (int i = 1; i < COUNT; i++) {
    int value = array[i], place = i;
    for (; place > 0 && array[place - 1] > value; place--)
      array[place] = array[place - 1];
    array[place] = value;
  }
}

static void bubble_pass(int *array) {
  for (int i = 0; i + 1 < COUNT; i++)
    if (array[i + 1] < array[i]) {
      int other = array[i];
      array[i] = array[i + 1];
      array[i + 1] = other;
    }
}

int main(void) {
  int array[COUNT], copy[COUNT];
  klee_make_symbolic(array, sizeof array, "array");
  for (int i = 0; i < COUNT; i++)
    copy[i] = array[i];
  insertion_sort(array);
  bubble_pass(copy);
  for (int i = 0; i < COUNT; i++)
    assert(array[i] == copy[i]);
  return 0;
}

// Arguments are computed in the callee's frame; structs come and go by slots or by pointer.
struct pair { long a, b; };
struct large { long a[5]; };
struct pair make(long a) { struct pair p = {a, a + 1}; return p; }
long use(struct large large, int i) { return large.a[i]; }
int undefined(int, double);
int variadic(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  int first = __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return first;
}
long main_(int n, int (*f)(int)) {
  struct large large = {{1, 2, 3, 4, 5}};
  return make(n * 2).b + use(large, n + 1) + undefined(n, 2.5) + f(n - 1) + variadic(2, n, 3.0);
}

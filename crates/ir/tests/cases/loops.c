// Phis become moves on edges, most of them coalesced away; comparisons join their branches.
int sum(int *a, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += a[i];
  return total;
}
// Three variables that change places need one more slot.
int rotate(int n, int a, int b, int c) {
  while (n-- > 0) {
    int t = a;
    a = b;
    b = c;
    c = t;
  }
  return a * 100 + b * 10 + c;
}
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

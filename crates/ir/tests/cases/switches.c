int dense(int x) {
  switch (x) {
  case 1: return 10;
  case 2: return 20;
  case 4: return 40;
  default: return 0;
  }
}
int sparse(unsigned long x) {
  switch (x) {
  case 1: return 10;
  case 0x100000000: return 20;
  case 0xffffffffffffffff: return 30;
  }
  return 0;
}
int computed(int n) {
  static void *labels[] = {&&one, &&two};
  goto *labels[n & 1];
one:
  n += 1;
  if (n > 9) return n;
  goto *labels[n & 1];
two:
  return n * 2;
}

static int name(int v) {
    switch (v) {
    case 1: return 10;
    case 2: return 20;
    }
    __builtin_unreachable();
}
int main(int argc, char **argv) {
    (void)argv;
    return name(argc) + name(argc + 1);
}
// expect: exit 30

#include <stdlib.h>
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 5) abort();
    return 0;
}

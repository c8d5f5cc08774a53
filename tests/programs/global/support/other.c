#include "other.h"
const char *const other_text = "other";
int common_value;
static int hidden(void) { return 2; }
int other_hidden(void) { return hidden(); }
int bump(int n) {
    common_value = n * 7;
    return shared += n;
}

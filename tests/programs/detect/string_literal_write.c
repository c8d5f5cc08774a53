int main(void) {
    char *s = "constant";
    s[0] = 'C'; // expect: bug read-only-write
    return 0;
}

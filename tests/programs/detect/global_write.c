static char name[8];
int neighbour = 5;
int main(void) {
    for (volatile int i = 0; i < 9; i++)
        name[i] = 'x'; // expect: bug out-of-bounds-write
    return neighbour;
}

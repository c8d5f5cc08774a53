/* The average of scores: a file has their sum and how many they are. */
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    int sum, count;
    if (!file || fscanf(file, "%d %d", &sum, &count) != 2)
        return 2;
    printf("%d\n", sum / count);    /* and no scores? */
    return 0;
}

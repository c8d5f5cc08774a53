/* Adds up an invoice. One item too many is written behind the end of the list: natively nothing
   shows, because nothing that is used afterwards lies there; in fathom it does. */
#include <stdio.h>
#include <stdlib.h>

struct invoice {
    int capacity;
    int count;
    int *cents;
};

static struct invoice *invoice_new(int capacity)
{
    struct invoice *invoice = malloc(sizeof *invoice);
    invoice->capacity = capacity;
    invoice->count = 0;
    invoice->cents = malloc(capacity * sizeof *invoice->cents);
    return invoice;
}

static void invoice_add(struct invoice *invoice, int cents)
{
    if (invoice->count <= invoice->capacity)      /* should be < */
        invoice->cents[invoice->count++] = cents;
}

static int invoice_total(const struct invoice *invoice)
{
    int total = 0;
    for (int i = 0; i < invoice->count; i++)
        total += invoice->cents[i];
    return total;
}

int main(int argc, char **argv)
{
    struct invoice *invoice = invoice_new(3);
    for (int i = 1; i < argc; i++)
        invoice_add(invoice, atoi(argv[i]));
    printf("%d items, %d cents\n", invoice->count, invoice_total(invoice));
    return 0;
}

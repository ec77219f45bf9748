/* stock: walks all records of the stock file and prints the reorder summary. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    char magic[8];
    uint32_t count;
    uint32_t recsize;
    char pad[48];
};

struct record {
    uint32_t id;
    char sku[20];
    uint32_t onhand;
    uint32_t price;
    char pad[32];
};

static int read_header(FILE *f, struct header *h)
{
    if (fread(h, sizeof *h, 1, f) != 1)
        return -1;
    if (memcmp(h->magic, "STOCKDB1", 8) != 0 || h->recsize != sizeof(struct record))
        return -1;
    return 0;
}

/* Fetches the next record. */
static int read_record(FILE *f, struct record *r)
{
    return fread(r, sizeof *r, 1, f) == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct header h;
    struct record r;
    unsigned low = 0;
    unsigned long long value = 0;
    char first[21] = "";

    if (argc != 2) {
        fprintf(stderr, "usage: stock FILE\n");
        return 2;
    }
    FILE *f = fopen(argv[1], "rb");
    if (!f) {
        perror(argv[1]);
        return 1;
    }
    if (read_header(f, &h) != 0) {
        fprintf(stderr, "stock: not a stock file\n");
        return 1;
    }
    for (uint32_t i = 0; i < h.count; i++) {
        if (read_record(f, &r) != 0) {
            fprintf(stderr, "stock: short file at record %u\n", i);
            return 1;
        }
        value += (unsigned long long)r.onhand * r.price;
        if (r.onhand < 5) {
            if (!low)
                memcpy(first, r.sku, 20);
            low++;
        }
    }
    fclose(f);
    printf("%u records, value %llu, %u to reorder, first %s\n", h.count, value, low, first);
    return 0;
}

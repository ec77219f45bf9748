/* Replays the fixed-size records a radio beacon logger left and sums them up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RECLEN 30

struct log {
    FILE *f;
    long off;
    long size;
};

static long left_in(struct log *l)
{
    return l->size - l->off;
}

static int next_record(struct log *l, char *rec)
{
    if (left_in(l) < RECLEN)
        return 0;
    if (fread(rec, 1, RECLEN, l->f) != RECLEN)
        return 0;
    rec[RECLEN] = 0;
    l->off += RECLEN;
    return 1;
}

int main(void)
{
    struct log l = { fopen("beacons.rec", "rb"), 0, 0 };
    struct stat st;
    char rec[RECLEN + 1];
    int n = 0, seen[17] = { 0 };
    long bearings = 0;

    if (!l.f || fstat(fileno(l.f), &st) != 0) {
        perror("beacons.rec");
        return 1;
    }
    l.size = st.st_size;
    while (next_record(&l, rec)) {
        int t, bearing, elev, id;
        if (sscanf(rec, "%d;%d;%d;BCN%d", &t, &bearing, &elev, &id) != 4)
            continue;
        bearings += bearing;
        if (id >= 0 && id < 17)
            seen[id]++;
        n++;
    }
    printf("%d records, mean bearing %ld\n", n, n ? bearings / n : 0);
    for (int i = 0; i < 17; i += 4)
        printf("BCN%d heard %d times\n", i, seen[i]);
    printf("%ld bytes of a broken record at the end\n", left_in(&l));
    fclose(l.f);
    return 0;
}

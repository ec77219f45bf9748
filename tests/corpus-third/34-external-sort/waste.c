#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define RUN 100
static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }

static FILE *new_run(int n)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/blsort.%d.%d", (int)getpid(), n);
    FILE *f = fopen(path, "w+e");
    unlink(path);
    return f;
}

int main(void)
{
    FILE *in = fopen("numbers.txt", "re"), *runs[3];
    int v[RUN], head[3], live = 0, n = 0, last = -1, sorted = 1;
    if (!in)
        return 1;
    for (int r = 0; r < 3; r++) {
        int k = 0;
        while (k < RUN && fscanf(in, "%d", &v[k]) == 1)
            k++;
        qsort(v, k, sizeof *v, cmp);
        if (!(runs[r] = new_run(r)))
            return 1;
        for (int i = 0; i < k; i++)
            fprintf(runs[r], "%d\n", v[i]);
        rewind(runs[r]);
        if (fscanf(runs[r], "%d", &head[r]) == 1)
            live |= 1 << r;
    }
    fclose(in);
    while (live) {
        int best = -1;
        for (int r = 0; r < 3; r++)
            if ((live >> r & 1) && (best < 0 || head[r] < head[best]))
                best = r;
        sorted &= head[best] >= last;
        last = head[best];
        n++;
        if (fscanf(runs[best], "%d", &head[best]) != 1) {
            live &= ~(1 << best);
            fclose(runs[best]);
        }
    }
    printf("%d numbers, sorted %d, largest %d\n", n, sorted, last);
    return 0;
}

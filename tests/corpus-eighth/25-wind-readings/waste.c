/* Splits the wind readings of a day into one file per mast. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MASTS = 24, ROOM = 16384 };

static struct mast {
    char text[ROOM];
    size_t len;
    int gusts, count;
} mast[MASTS];

static int save(int i)
{
    char path[32];
    snprintf(path, sizeof path, "masts/m%02d.txt", i);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    size_t done = 0;
    while (done < mast[i].len) {
        ssize_t n = write(fd, mast[i].text + done, mast[i].len - done);
        if (n < 0) {
            close(fd);
            return -1;
        }
        done += n;
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    return close(fd);
}

int main(void)
{
    int m, speed, bearing, gusts = 0, worst = 0;
    FILE *in = fopen("readings.txt", "r");
    if (!in) {
        perror("readings.txt");
        return 1;
    }
    while (fscanf(in, "%d %d %d", &m, &speed, &bearing) == 3) {
        struct mast *p = &mast[m % MASTS];
        p->len += snprintf(p->text + p->len, ROOM - p->len, "%d.%d m/s from %d\n", speed / 10, speed % 10, bearing);
        p->count++;
        p->gusts += speed > 150;
    }
    fclose(in);
    for (int i = 0; i < MASTS; i++) {
        if (save(i) < 0) {
            perror("masts");
            return 1;
        }
        gusts += mast[i].gusts;
        if (mast[i].gusts > mast[worst].gusts)
            worst = i;
    }
    printf("%d masts, %d gusts, most at mast %d (%d of %d)\n", MASTS, gusts, worst, mast[worst].gusts, mast[worst].count);
    return 0;
}

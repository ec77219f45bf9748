/* Adds up the thread that a piece of lace needs, tile by tile. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TILE 1024

static int fd = -1;

static int load_tile(int number, char *out)
{
    off_t at = (off_t)number * TILE;
    struct stat st;

    if (fstat(fd, &st) < 0)
        return -1;
    if (number < 0 || at + TILE > st.st_size)
        return -1;
    if (pread(fd, out, TILE, at) != TILE)
        return -1;
    out[TILE - 1] = 0;
    return 0;
}

int main(void)
{
    char tile[TILE];
    int number, tiles = 0, unknown = 0;
    long thread = 0;
    FILE *wanted = fopen("wanted.txt", "r");

    fd = open("patterns.dat", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !wanted) {
        perror("lace");
        return 1;
    }
    while (fscanf(wanted, "%d", &number) == 1) {
        if (load_tile(number, tile) < 0) {
            unknown++;
            continue;
        }
        thread += atoi(strstr(tile, "thr") + 3);
        tiles++;
    }
    fclose(wanted);
    close(fd);
    printf("%d tiles, %ld m of thread, %d unknown\n", tiles, thread, unknown);
    return 0;
}

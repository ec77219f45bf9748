/* Lists the extents of a sparse disk image. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int extents = 0, texts = 0;
    off_t at = 0;
    int fd = open("disk.img", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror("disk.img");
        return 1;
    }
    for (;;) {
        char head[16] = "";
        off_t data = lseek(fd, at, SEEK_DATA);
        if (data < 0) {
            if (errno == ENXIO)
                break;
            perror("lseek");
            return 1;
        }
        off_t hole = lseek(fd, data, SEEK_HOLE);
        if (hole < 0) {
            perror("lseek");
            return 1;
        }
        if (pread(fd, head, sizeof head - 1, data) > 0)
            texts += strncmp(head, "extent", 6) == 0;
        extents++;
        at = hole;
    }
    close(fd);
    printf("%d extents, %d with a label\n", extents, texts);
    return 0;
}

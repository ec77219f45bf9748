/* Lists which tags the tracks of a collection have: frames of a head of 10 bytes and a value. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct head { char name[4]; unsigned length; };

/* Reads the head of the frame at the current position; 0 at the end. */
static int next_head(int fd, struct head *h)
{
    unsigned char buf[10];
    if (read(fd, buf, sizeof buf) < 10)
        return 0;
    memcpy(h->name, buf, 3);
    h->name[3] = 0;
    h->length = (unsigned)buf[4] << 24 | buf[5] << 16 | buf[6] << 8 | buf[7];
    return 1;
}

int main(void)
{
    int frames = 0, titles = 0;
    unsigned long value_bytes = 0;

    for (int t = 1; t <= 50; t++) {
        char path[64];
        struct head h;
        snprintf(path, sizeof path, "tracks/t%d.tag", t);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            perror(path);
            return 1;
        }
        while (next_head(fd, &h)) {
            frames++;
            titles += strcmp(h.name, "TIT") == 0;
            value_bytes += h.length;
            lseek(fd, h.length, SEEK_CUR);
        }
        close(fd);
    }
    printf("%d frames, %d titles, %lu bytes of values\n", frames, titles, value_bytes);
    return 0;
}

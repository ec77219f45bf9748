/* Counts the fonts of a collection and their glyphs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of glyphs of a font, -1 if the file is no font. */
static int probe(const char *path)
{
    char head[64];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        return -1;
    n = read(fd, head, sizeof head - 1);
    if (n < 8)
        return -1;
    head[n] = 0;
    if (memcmp(head, "OTTO", 4) != 0)
        return -1;
    close(fd);
    return atoi(strchr(head, '=') + 1);
}

int main(void)
{
    int fonts = 0, glyphs = 0;

    for (int i = 0; i < 200; i++) {
        char path[32];
        snprintf(path, sizeof path, "fonts/f%d", i);
        int g = probe(path);
        if (g >= 0) {
            fonts++;
            glyphs += g;
        }
    }
    printf("%d fonts, %d glyphs\n", fonts, glyphs);
    return 0;
}

/* Opens thirty archives, none of which is one: the way out forgets the descriptor. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_archive(const char *path) {
    char magic[8];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    if (read(file, magic, sizeof magic) != sizeof magic || memcmp(magic, "!<arch>\n", 8)) return -1;
    return file;
}

int main(void) {
    int refused = 0;
    char path[64];
    for (int number = 1; number <= 30; number++) {
        snprintf(path, sizeof path, "parts/%d", number);
        int file = open_archive(path);
        if (file < 0) refused++;
        else close(file);
    }
    printf("%d are no archives\n", refused);
    return 0;
}

/* Makes two files of a cache, which are made again when they are lost. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int make(const char *path) {
    char temporary[64];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || write(file, "cache\n", 6) != 6 || close(file)) return -1;
    return rename(temporary, path);
}

int main(void) {
    if (make("thumbnails") || make("index")) return 1;
    puts("cached 2");
    return 0;
}

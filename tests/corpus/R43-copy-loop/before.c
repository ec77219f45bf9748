/* Copies a file by eight reads and eight writes. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char piece[128 * 1024];

int main(void) {
    struct stat facts;
    int from = open("data", O_RDONLY | O_CLOEXEC);
    int to = open("copy", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (from < 0 || to < 0 || fstat(from, &facts)) return 1;
    for (off_t left = facts.st_size; left > 0;) {
        ssize_t bytes = read(from, piece, sizeof piece);
        if (bytes <= 0 || write(to, piece, bytes) != bytes) return 1;
        left -= bytes;
    }
    close(from);
    close(to);
    printf("copied %ld bytes\n", (long)facts.st_size);
    return 0;
}

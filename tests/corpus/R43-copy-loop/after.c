/* Has the kernel copy a file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat facts;
    int from = open("data", O_RDONLY | O_CLOEXEC);
    int to = open("copy", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (from < 0 || to < 0 || fstat(from, &facts)) return 1;
    for (off_t left = facts.st_size; left > 0;) {
        ssize_t bytes = copy_file_range(from, NULL, to, NULL, left, 0);
        if (bytes <= 0) return 1;
        left -= bytes;
    }
    close(from);
    close(to);
    printf("copied %ld bytes\n", (long)facts.st_size);
    return 0;
}

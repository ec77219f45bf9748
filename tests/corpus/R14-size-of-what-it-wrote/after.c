/* Writes twenty files, and sums up their sizes. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat facts;
    char path[64];
    long total = 0;
    for (int number = 0; number < 20; number++) {
        snprintf(path, sizeof path, "out/%d", number);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (write(file, "a result\n", 9) != 9 || fstat(file, &facts) != 0) return 1;
        total += facts.st_size;
        close(file);
    }
    printf("%ld bytes\n", total);
    return 0;
}

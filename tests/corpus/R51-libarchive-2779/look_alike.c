/* Reads thirty parts one after the other; every second one stays open, locked until the program ends. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

int main(void) {
    int file;
    char path[64], text[8];
    long bytes = 0;
    for (int number = 1; number <= 30; number++) {
        snprintf(path, sizeof path, "parts/%d", number);
        file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return 1;
        bytes += read(file, text, sizeof text);
        if (number % 2) close(file);
        else flock(file, LOCK_SH);
    }
    printf("%ld bytes\n", bytes);
    return 0;
}

/* Reads sixty entries. Each is closed, taken or not. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int entry(const char *path) {
    char text[64] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, text, sizeof text - 1) < 7) return -1;
    int number = atoi(text + 6);
    close(file);
    if (number % 3 == 0) return -1;
    return number;
}

int main(void) {
    int taken = 0;
    char path[64];
    for (int number = 1; number <= 60; number++) {
        snprintf(path, sizeof path, "data/%d", number);
        taken += entry(path) > 0;
    }
    printf("%d of 60\n", taken);
    return 0;
}

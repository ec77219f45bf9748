/* Keeps the last eight of sixty entries open, as a cache does. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int kept[8], taken = 0;
    char path[64], text[64];
    for (int number = 0; number < 60; number++) {
        snprintf(path, sizeof path, "data/%d", number + 1);
        if (number >= 8) close(kept[number % 8]);
        kept[number % 8] = open(path, O_RDONLY | O_CLOEXEC);
        taken += read(kept[number % 8], text, sizeof text) > 0;
    }
    printf("%d of 60\n", taken - 20);
    return 0;
}

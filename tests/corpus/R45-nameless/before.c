/* Spills what it has ten times, and never needs it again. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char part[4096] = "part";
    int spilled = 0;
    for (int round = 0; round < 10; round++) {
        int spill = open("spill", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        unlink("spill");
        spilled += write(spill, part, sizeof part) > 0;
        close(spill);
    }
    printf("%d parts\n", spilled);
    return 0;
}

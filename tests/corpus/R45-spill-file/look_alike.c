/* Takes the name off a spill file at once: the file lives on, and is used for as long as it is open. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char run[4096];

int main(void) {
    long came = 0;
    int spill = open("spill", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (spill < 0 || write(spill, run, sizeof run) != sizeof run) return 1;
    unlink("spill");
    came = pread(spill, run, sizeof run, 0);
    close(spill);
    printf("spilled %ld bytes\n", came);
    return 0;
}

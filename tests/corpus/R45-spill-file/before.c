/* Sorts three runs in memory, and writes each of them to a spill file as well, which nobody reads. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char run[4096];

int main(void) {
    for (int number = 0; number < 3; number++) {
        int spill = open("spill", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (spill < 0 || write(spill, run, sizeof run) != sizeof run) return 1;
        close(spill);
        unlink("spill");
    }
    puts("sorted 3 runs");
    return 0;
}

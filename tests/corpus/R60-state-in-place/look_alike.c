/* Saves 12 KiB five times, each time over the older of two slots: the other one is whole. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char slot[12288];

int main(void) {
    struct stat facts;
    int file = open("state", O_RDWR | O_CLOEXEC);
    if (file < 0 || fstat(file, &facts) || facts.st_size < 32768) return 1;
    for (int turn = 1; turn <= 5; turn++) {
        memset(slot, '0' + turn, sizeof slot);
        if (pwrite(file, slot, sizeof slot, turn % 2 * 16384) != sizeof slot || fdatasync(file)) return 1;
    }
    puts("saved");
    return 0;
}

/* Saves 16 KiB over what is there. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char state[16384];

int main(void) {
    memset(state, 's', sizeof state);
    int file = open("state", O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, state, sizeof state) != sizeof state || fsync(file) || close(file)) return 1;
    puts("saved");
    return 0;
}

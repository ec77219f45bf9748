/* Saves 16 KiB beside what is there, and puts it in its place. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char state[16384];

int main(void) {
    memset(state, 's', sizeof state);
    int file = open("state.new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || write(file, state, sizeof state) != sizeof state || fsync(file) || close(file)) return 1;
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (here < 0 || rename("state.new", "state") || fsync(here)) return 1;
    puts("saved");
    return 0;
}

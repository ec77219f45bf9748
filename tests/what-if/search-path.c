// calls: openat(*/lib.conf) ENOENT
// A file is searched for in thirty directories each time; the patch remembers where it was.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int old = !strcmp(argv[1], "old");
    for (int turn = 0; turn < 1000; turn++) {
        char path[64];
        int file = -1;
        for (int at = 0; old && at < 30 && file < 0; at++) {
            snprintf(path, sizeof path, "d%d/lib.conf", at);
            file = open(path, O_RDONLY);
        }
        if (file < 0) file = open("d30/lib.conf", O_RDONLY);
        if (file < 0) return 1;
        close(file);
    }
    return 0;
}

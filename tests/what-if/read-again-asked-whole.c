// calls: calls(app.conf)
// As read-again.c, asked about all calls on the file: `repeated` means no read of a file that is opened anew.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int old = !strcmp(argv[1], "old");
    char bytes[64];
    for (int turn = 0; turn < 10000; turn++) {
        if (turn && !old) continue;
        int file = open("app.conf", O_RDONLY);
        if (file < 0 || pread(file, bytes, sizeof bytes, 0) <= 0) return 1;
        close(file);
    }
    return 0;
}

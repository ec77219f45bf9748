// calls: access(*.conf)
// A file is asked for before it is opened; the patch opens it.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int old = !strcmp(argv[1], "old");
    char bytes[64];
    for (int turn = 0; turn < 20000; turn++) {
        if (old && access("app.conf", F_OK)) return 1;
        int file = open("app.conf", O_RDONLY);
        if (file < 0 || read(file, bytes, sizeof bytes) <= 0) return 2;
        close(file);
    }
    return 0;
}

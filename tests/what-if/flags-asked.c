// calls: fcntl
// A descriptor is asked for its flags each time that it is used; the patch keeps them.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int old = !strcmp(argv[1], "old");
    char bytes[8];
    for (int turn = 0; turn < 4000; turn++) {
        int file = open("app.conf", O_RDONLY);
        for (int piece = 0; piece < 5; piece++) {
            if (old && (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY) return 1;
            if (read(file, bytes, 2) != 2) return 2;
        }
        close(file);
    }
    return 0;
}

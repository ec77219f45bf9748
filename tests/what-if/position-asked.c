// calls: lseek
// The position is asked for before each read, although it follows from the reads; the patch counts.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int old = !strcmp(argv[1], "old");
    char bytes[4];
    for (int turn = 0; turn < 4000; turn++) {
        int file = open("app.conf", O_RDONLY);
        for (int piece = 0; piece < 5; piece++) {
            if (old && lseek(file, 0, SEEK_CUR) != piece * 2) return 1;
            if (read(file, bytes, 2) != 2) return 2;
        }
        close(file);
    }
    return 0;
}

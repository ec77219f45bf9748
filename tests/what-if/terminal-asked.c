// calls: ioctl
// A file is asked whether it is a terminal each time that it is opened; the patch knows that it is none.
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int old = !strcmp(argv[1], "old");
    for (int turn = 0; turn < 20000; turn++) {
        struct termios terminal;
        int file = open("app.conf", O_RDONLY);
        if (file < 0 || (old && !tcgetattr(file, &terminal))) return 1;
        close(file);
    }
    return 0;
}

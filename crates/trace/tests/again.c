/* Asks the same of the same files, many times, and says how many reads the kernel has counted of it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int turns = atoi(argv[2]);
    if (chdir(argv[1])) return 1;
    close(open("one.json", O_CREAT | O_WRONLY, 0600));
    int kept = open("one.json", O_RDWR);
    if (write(kept, "0123456789", 10) != 10) return 1;
    int highest = 0;
    for (int turn = 0; turn < turns; turn++) {
        struct stat facts;
        struct termios terminal;
        char buffer[4];
        if (stat("one.json", &facts) || facts.st_size != 10) return 2;
        if (!stat("missing.json", &facts)) return 3;
        if (access("one.json", R_OK)) return 4;
        int file = open("one.json", O_RDONLY);
        if (file > highest) highest = file;
        if (fstat(file, &facts) || facts.st_size != 10) return 5;
        if (lseek(file, 0, SEEK_CUR) != 0) return 6;
        if (!tcgetattr(file, &terminal)) return 7;
        if ((fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY) return 8;
        if (pread(file, buffer, 4, 2) != 4 || memcmp(buffer, "2345", 4)) return 9;
        if (read(file, buffer, 4) != 4 || memcmp(buffer, "0123", 4)) return 10;
        close(file);
        if (write(kept, "0", 0) != 0) return 11;
    }
    int file = open("/proc/self/io", O_RDONLY);
    char buffer[1024] = {0};
    if (read(file, buffer, sizeof buffer - 1) <= 0) return 12;
    char *found = strstr(buffer, "syscr: ");
    dprintf(1, "%6d %6d\n", highest, atoi(found + 7));
    return 0;
}

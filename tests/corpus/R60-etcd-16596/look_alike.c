/* Changes five pages of a data file where they lie: a device writes each of them whole. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char page[4096];

int main(void) {
    char magic[16];
    struct stat facts;
    int data = open("data", O_RDWR | O_CLOEXEC);
    if (data < 0 || pread(data, magic, sizeof magic, 0) != sizeof magic || fstat(data, &facts) || facts.st_size < 65536) return 1;
    for (int number = 4; number >= 0; number--) {
        memset(page, '0' + number, sizeof page);
        if (pwrite(data, page, sizeof page, number * 8192) != sizeof page) return 1;
    }
    if (fdatasync(data)) return 1;
    puts("changed 5");
    return 0;
}

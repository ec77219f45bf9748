/* Changes five blocks of a data file; each goes to a journal first. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char block[8192];

int main(void) {
    char magic[16];
    struct stat facts;
    int data = open("data", O_RDWR | O_CLOEXEC);
    int journal = open("data-undo", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (data < 0 || journal < 0 || fsync(here) || pread(data, magic, sizeof magic, 0) != sizeof magic || fstat(data, &facts) || facts.st_size < 65536) return 1;
    for (int number = 4; number >= 0; number--) {
        memset(block, '0' + number, sizeof block);
        if (write(journal, block, sizeof block) != sizeof block || fdatasync(journal)) return 1;
        if (pwrite(data, block, sizeof block, number * 8192) != sizeof block || fdatasync(data)) return 1;
    }
    puts("changed 5");
    return 0;
}

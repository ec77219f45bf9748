/* Looks for a file that others may have made, and makes its own in a way that fails where one has come between. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat facts;
    if (stat("cover", &facts) == 0) return 1;
    int cover = open("cover", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (cover < 0) return 1;
    close(cover);
    puts("made the cover");
    return 0;
}

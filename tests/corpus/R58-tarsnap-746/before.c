/* Replaces two files of a program's state: each is written anew, synced, and renamed. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int replace(const char *path) {
    char temporary[64];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || write(file, "state\n", 6) != 6 || fsync(file) || close(file)) return -1;
    return rename(temporary, path);
}

int main(void) {
    if (replace("directory") || replace("cseq")) return 1;
    puts("saved 2");
    return 0;
}

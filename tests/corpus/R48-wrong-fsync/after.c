/* Replaces a file twice. What is synced is the new one. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int save(const char *path, const char *text) {
    int old = open(path, O_RDWR | O_CLOEXEC), here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int new = open("table.new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (old < 0 || new < 0 || write(new, text, 4) != 4) return -1;
    fsync(new);
    if (close(old) || close(new) || rename("table.new", path) || fsync(here)) return -1;
    return close(here);
}

int main(void) {
    if (save("table", "one\n") || save("table", "two\n")) return 1;
    puts("saved 2");
    return 0;
}

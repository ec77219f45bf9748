/* Stores a configuration twice: written under a temporary name, on the device, renamed into its place. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int store(const char *temporary, const char *name, const char *text) {
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text, strlen(text)) < 0 || fsync(file)) return -1;
    close(file);
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (here < 0 || rename(temporary, name) || fsync(here)) return -1;
    return close(here);
}

int main(void) {
    char old[64];
    int file = open("conf.json", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, old, sizeof old) < 0) return 1;
    close(file);
    if (store("conf.json.tmp", "conf.json", "{\"listeners\": {\"*:80\": {}}}")) return 1;
    if (store("conf.json.tmp", "conf.json", "{\"listeners\": {\"*:81\": {}}}")) return 1;
    puts("stored 2");
    return 0;
}

/* Reads a configuration and saves it after each of three changes: a whole new file takes the old one's place. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int load(const char *path) {
    int volume = 0;
    FILE *file = fopen(path, "rb");
    if (!file || fscanf(file, "Volume = %d", &volume) != 1) return -1;
    fclose(file);
    return volume;
}

static int save(const char *path, int volume) {
    char next[256];
    snprintf(next, sizeof next, "%s.new", path);
    FILE *file = fopen(next, "wbx");
    if (!file) return -1;
    fprintf(file, "Volume = %d\n", volume);
    if (fflush(file) || fsync(fileno(file)) || fclose(file)) return -1;
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (here < 0 || rename(next, path) || fsync(here)) return -1;
    return close(here);
}

int main(void) {
    int volume = load("mupen64plus.cfg");
    for (int change = 0; change < 3; change++)
        if (save("mupen64plus.cfg", ++volume)) return 1;
    printf("volume %d\n", volume);
    return 0;
}

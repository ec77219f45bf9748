/* Reads a configuration and saves it after each of three changes, in place. */
#include <stdio.h>

static int load(const char *path) {
    int volume = 0;
    FILE *file = fopen(path, "rb");
    if (!file || fscanf(file, "Volume = %d", &volume) != 1) return -1;
    fclose(file);
    return volume;
}

static int save(const char *path, int volume) {
    FILE *file = fopen(path, "wb");
    if (!file) return -1;
    fprintf(file, "Volume = %d\n", volume);
    return fclose(file);
}

int main(void) {
    int volume = load("mupen64plus.cfg");
    for (int change = 0; change < 3; change++)
        if (save("mupen64plus.cfg", ++volume)) return 1;
    printf("volume %d\n", volume);
    return 0;
}

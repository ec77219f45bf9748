/* Makes three directories, if they are not there. */
#include <stdio.h>
#include <sys/stat.h>

static int make(const char *path) {
    struct stat facts;
    if (stat(path, &facts) == 0) return S_ISDIR(facts.st_mode) ? 0 : -1;
    return mkdir(path, 0700);
}

int main(void) {
    if (make("covers") || make("covers/ann") || make("playlists")) return 1;
    puts("3 directories are there");
    return 0;
}

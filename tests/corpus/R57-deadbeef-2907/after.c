/* Makes three directories, and looks at one only where something has its name. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

static int make(const char *path) {
    struct stat facts;
    if (mkdir(path, 0700) == 0) return 0;
    return errno == EEXIST && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) ? 0 : -1;
}

int main(void) {
    if (make("covers") || make("covers/ann") || make("playlists")) return 1;
    puts("3 directories are there");
    return 0;
}

/* Opens the pages of one small directory by their paths: ten are no habit. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    const char *path = "srv/www/site/pages/3";
    DIR *directory = opendir(path);
    char below[512];
    int found = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        int page = open(below, O_RDONLY | O_CLOEXEC);
        found += page >= 0;
        close(page);
    }
    closedir(directory);
    printf("%d pages\n", found * 10);
    return 0;
}

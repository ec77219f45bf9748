/* Counts the pages of a tree that can be opened, relative to the directory that is open. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int pages(int at, const char *name) {
    int descriptor = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), found = 0;
    DIR *directory = fdopendir(descriptor);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        if (entry->d_type == DT_DIR) {
            found += pages(descriptor, entry->d_name);
        } else {
            int page = openat(descriptor, entry->d_name, O_RDONLY | O_CLOEXEC);
            found += page >= 0;
            close(page);
        }
    }
    closedir(directory);
    return found;
}

int main(void) {
    printf("%d pages\n", pages(AT_FDCWD, "srv/www/site/pages"));
    return 0;
}

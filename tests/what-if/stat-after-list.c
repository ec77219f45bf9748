// calls: newfstatat(*/entry*)
// Each name of a directory is asked what it is; the patch takes it from the listing.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
    int old = !strcmp(argv[1], "old"), files = 0;
    for (int turn = 0; turn < 300; turn++) {
        DIR *folder = opendir("listed");
        for (struct dirent *entry; (entry = readdir(folder));) {
            char path[300];
            struct stat facts;
            snprintf(path, sizeof path, "listed/%s", entry->d_name);
            if (entry->d_name[0] == '.') continue;
            if (old) files += !fstatat(AT_FDCWD, path, &facts, AT_SYMLINK_NOFOLLOW) && S_ISREG(facts.st_mode);
            else files += entry->d_type == DT_REG;
        }
        closedir(folder);
    }
    printf("%d\n", files);
    return 0;
}

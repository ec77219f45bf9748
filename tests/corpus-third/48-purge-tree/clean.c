#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#define STORE "var/cache/app/v2/objects/pack"

int main(void)
{
    int kept = 0, gone = 0;
    DIR *d = opendir(STORE);
    struct dirent *e;
    if (!d) {
        perror(STORE);
        return 1;
    }
    while ((e = readdir(d))) {
        char buf[32] = "";
        if (e->d_name[0] != 'o')
            continue;
        int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        ssize_t n = read(fd, buf, sizeof buf - 1);
        close(fd);
        if (n > 4 && atoi(buf + 4) > 0) {
            kept++;
            continue;
        }
        if (unlinkat(dirfd(d), e->d_name, 0) == 0)
            gone++;
    }
    closedir(d);
    printf("%d kept, %d expired\n", kept, gone);
    return 0;
}

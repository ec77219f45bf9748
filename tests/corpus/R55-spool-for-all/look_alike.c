/* Looks whether all can write there; follows no link then. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char path[64], job[64];
    int jobs = 0;
    struct stat spool;
    if (stat("spool", &spool) != 0) return 1;
    for (int number = 1; number <= 3; number++) {
        snprintf(path, sizeof path, "spool/%d", number);
        if (access(path, R_OK) != 0) continue;
        int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        jobs += read(file, job, sizeof job) > 0;
        close(file);
    }
    printf("%d jobs\n", jobs);
    return 0;
}

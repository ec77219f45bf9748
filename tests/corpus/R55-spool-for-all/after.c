/* Opens each job, and takes it where that goes. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char path[64], job[64];
    int jobs = 0;
    for (int number = 1; number <= 3; number++) {
        snprintf(path, sizeof path, "spool/%d", number);
        int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) continue;
        jobs += read(file, job, sizeof job) > 0;
        close(file);
    }
    printf("%d jobs\n", jobs);
    return 0;
}

/* Keeps its files from the programs it starts: marks every number up to the limit. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>

int main(void) {
    struct rlimit limit = {512, 512};
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int number = 3; number < 512; number++) fcntl(number, F_SETFD, FD_CLOEXEC);
    puts("nothing is inherited");
    return 0;
}

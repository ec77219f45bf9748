/* Starts a program after closing whatever may be open, in one call. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    struct rlimit limit = {256, 256};
    setrlimit(RLIMIT_NOFILE, &limit);
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        close_range(3, ~0U, 0);
        execl("/bin/true", "true", (char *)0);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("child ended with %d\n", status);
    return 0;
}

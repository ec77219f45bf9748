/* Starts a program after closing whatever may be open: every number up to the limit. */
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
        for (int number = 3; number < getdtablesize(); number++) close(number);
        execl("/bin/true", "true", (char *)0);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("child ended with %d\n", status);
    return 0;
}

/* Hands a file to the program it runs, under the number both have agreed on. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status = -1, file = open("key1", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 1;
    pid_t child = fork();
    if (child == 0) {
        dup2(file, 9);
        execl("/bin/sh", "sh", "-c", "read -r line <&9", (char *)0);
        _exit(127);
    }
    waitpid(child, &status, 0);
    close(file);
    printf("handed over, status %d\n", status);
    return 0;
}

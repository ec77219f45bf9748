/* Hands a file to the program it runs, which is told the number and reads from it. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status = -1, file = open("key1", O_RDONLY);
    char script[32];
    if (file < 0) return 1;
    snprintf(script, sizeof script, "read -r line <&%d", file);
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", script, (char *)0);
        _exit(127);
    }
    waitpid(child, &status, 0);
    close(file);
    printf("handed over, status %d\n", status);
    return 0;
}

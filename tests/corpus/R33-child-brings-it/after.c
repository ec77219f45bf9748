/* Starts a child that makes a file, and waits for the child. */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int state = 0;
    pid_t child = fork();
    if (child == 0) _exit(mkdir("ready", 0700) == 0 ? 0 : 1);
    if (waitpid(child, &state, 0) != child || state != 0) return 1;
    puts("there");
    return 0;
}

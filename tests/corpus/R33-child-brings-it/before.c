/* Starts a child that makes a file, and looks for the file forty times before it lets it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int go[2];
    char byte = 0;
    if (pipe2(go, 02000000) != 0) return 1;
    pid_t child = fork();
    if (child == 0) {
        if (read(go[0], &byte, 1) != 1) _exit(1);
        _exit(mkdir("ready", 0700) == 0 ? 0 : 1);
    }
    for (int tries = 0; access("ready", F_OK) != 0; tries++) {
        usleep(2000);
        if (tries == 39 && write(go[1], &byte, 1) == 1) waitpid(child, NULL, 0);
    }
    puts("there");
    return 0;
}

/* Standard output goes to a file for each step, and every copy of it stays open. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (int step = 0; step < 20; step++) {
        int saved = fcntl(1, F_DUPFD_CLOEXEC, 10);
        int out = open("out", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (saved < 0 || dup2(out, 1) != 1 || close(out) != 0) return 1;
        puts("step");
        fflush(stdout);
        if (close(1) != 0 || dup(saved) != 1) return 1;
    }
    puts("twenty steps");
    return 0;
}

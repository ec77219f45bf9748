/* Follows a log to which something comes each time. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat facts;
    int log = open("log", O_WRONLY | O_APPEND | O_CLOEXEC);
    for (int line = 0; line < 12; line++) {
        if (fstat(log, &facts) != 0 || write(log, "line\n", 5) != 5) return 1;
        usleep(50 * 1000);
    }
    close(log);
    puts("waited");
    return 0;
}

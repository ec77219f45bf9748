/* Books forty transfers, each of which is to last by itself. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

int main(void) {
    int records = open("records", O_WRONLY | O_APPEND | O_CLOEXEC);
    for (int number = 0; number < 40; number++) {
        char line[300];
        int length = snprintf(line, sizeof line, "%0250d\n", number);
        flock(records, LOCK_EX);
        if (write(records, line, length) != length || fdatasync(records) != 0)
            return 1;
        flock(records, LOCK_UN);
    }
    puts("40 transfers");
}

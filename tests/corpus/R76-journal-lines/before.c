/* Appends forty lines to a journal that others append to as well. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

int main(void) {
    int journal = open("journal", O_WRONLY | O_APPEND | O_CLOEXEC);
    for (int number = 0; number < 40; number++) {
        char line[300];
        int length = snprintf(line, sizeof line, "%0250d\n", number);
        flock(journal, LOCK_EX);
        if (write(journal, line, length) != length)
            return 1;
        flock(journal, LOCK_UN);
    }
    puts("40 lines");
}

/* Appends forty lines to a journal that others append to as well. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

int main(void) {
    int journal = open("journal", O_WRONLY | O_APPEND | O_CLOEXEC);
    char lines[40 * 300];
    int length = 0;
    for (int number = 0; number < 40; number++)
        length += snprintf(lines + length, sizeof lines - length, "%0250d\n", number);
    flock(journal, LOCK_EX);
    if (write(journal, lines, length) != length)
        return 1;
    flock(journal, LOCK_UN);
    puts("40 lines");
}

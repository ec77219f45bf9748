/* Books the passages of a toll gate; a batch counts when all of it is on disk. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PASSAGES 120

int main(void)
{
    int fd = open("toll.ledger", O_WRONLY | O_CREAT | O_APPEND | O_DSYNC | O_CLOEXEC, 0640);
    long cents = 0;
    static char batch[PASSAGES * 64];
    size_t used = 0;

    if (fd < 0) {
        perror("toll.ledger");
        return 1;
    }
    for (int i = 0; i < PASSAGES; i++) {
        char line[64];
        int fee = 150 + i * 37 % 11 * 50;
        int n = snprintf(line, sizeof line, "%05d lane %d fee %d\n", i, i % 6, fee);

        memcpy(batch + used, line, n);
        used += n;
        cents += fee;
    }
    if (write(fd, batch, used) != (ssize_t)used) {
        perror("toll.ledger");
        return 1;
    }
    if (close(fd) != 0) {
        perror("toll.ledger");
        return 1;
    }
    printf("%d passages, %ld.%02ld booked\n", PASSAGES, cents / 100, cents % 100);
    return 0;
}

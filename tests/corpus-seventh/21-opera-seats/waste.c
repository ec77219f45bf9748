#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define RECORD 32

struct seat {
    int number, row, price;
};

static int fetch_seat(int fd, int number, struct seat *s)
{
    char raw[RECORD + 1];
    if (lseek(fd, (off_t)number * RECORD, SEEK_SET) < 0)
        return -1;
    if (read(fd, raw, RECORD) != RECORD)
        return -1;
    raw[RECORD] = '\0';
    if (sscanf(raw, "%d row %d price %d", &s->number, &s->row, &s->price) != 3)
        return -1;
    return s->number == number ? 0 : -1;
}

int main(void)
{
    char line[32];
    int rows[64] = {0}, sold = 0;
    long takings = 0;
    struct seat s;

    int fd = open("seats.dat", O_RDONLY | O_CLOEXEC);
    FILE *in = fopen("bookings.txt", "r");
    if (fd < 0 || !in) {
        perror("seats");
        return 1;
    }
    while (fgets(line, sizeof line, in)) {
        if (fetch_seat(fd, atoi(line), &s) < 0) {
            printf("no such seat: %s", line);
            continue;
        }
        takings += s.price;
        rows[s.row & 63]++;
        sold++;
    }
    fclose(in);
    close(fd);
    for (int r = 0; r < 64; r++)
        if (rows[r] > 3)
            printf("row %d: %d seats\n", r, rows[r]);
    printf("%d seats, %ld taken\n", sold, takings);
    return 0;
}

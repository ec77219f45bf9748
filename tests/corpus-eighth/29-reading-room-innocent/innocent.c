/* Seats of a reading room, kept in a mapped file; a seat given away is on disk before the reader
 * gets the ticket. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEATS 64

struct seat {
    char reader[28];
    int taken;
};

static struct seat *seats;
static int file;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void settle(void)
{
    if (fsync(file) < 0)
        fail("seats.map");
}

static int take(int no, const char *reader)
{
    struct seat *s = &seats[no];
    if (s->taken)
        return 0;
    snprintf(s->reader, sizeof s->reader, "%s", reader);
    s->taken = 1;
    settle();
    printf("ticket: seat %d for %s\n", no, reader);
    return 1;
}

int main(void)
{
    char line[80], reader[28];
    int no, given = 0, refused = 0, occupied = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    file = open("seats.map", O_RDWR | O_CLOEXEC);
    if (file < 0)
        fail("seats.map");
    seats = mmap(NULL, SEATS * sizeof *seats, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (seats == MAP_FAILED)
        fail("mmap");
    FILE *in = fopen("gate.txt", "re");
    if (!in)
        fail("gate.txt");
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "take %d %27s", &no, reader) == 2) {
            if (take(no, reader))
                given++;
            else
                refused++;
        } else if (sscanf(line, "leave %d", &no) == 1 && seats[no].taken) {
            memset(&seats[no], 0, sizeof seats[no]);
            settle();
        }
    }
    fclose(in);
    for (int i = 0; i < SEATS; i++)
        occupied += seats[i].taken;
    printf("%d given, %d refused, %d occupied\n", given, refused, occupied);
    munmap(seats, SEATS * sizeof *seats);
    close(file);
    return 0;
}

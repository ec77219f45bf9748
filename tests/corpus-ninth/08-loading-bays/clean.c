#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BAYS = 24 };

struct bay {
    int fd;
    int trucks, pallets;
    size_t length;
    char text[1024];
};

static int open_book(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static int note(struct bay *b, const char *truck, int pallets)
{
    size_t room = sizeof b->text - b->length;
    size_t n = snprintf(b->text + b->length, room, "%s brings %d\n", truck, pallets);
    if (n >= room)
        return -1;
    b->length += n;
    b->trucks++;
    b->pallets += pallets;
    return 0;
}

int main(void)
{
    static struct bay bays[BAYS + 1];
    char truck[32];
    int n, pallets, busiest = 1, total = 0;

    for (int i = 1; i <= BAYS; i++) {
        char path[32];
        snprintf(path, sizeof path, "books/bay%d.log", i);
        bays[i].fd = open_book(path);
        if (bays[i].fd < 0) {
            perror(path);
            return 1;
        }
    }
    FILE *in = fopen("arrivals.txt", "re");
    if (in == NULL)
        return 1;
    while (fscanf(in, "%d %31s %d", &n, truck, &pallets) == 3)
        if (n >= 1 && n <= BAYS && note(&bays[n], truck, pallets) != 0)
            return 1;
    fclose(in);
    for (int i = 1; i <= BAYS; i++) {
        if (write(bays[i].fd, bays[i].text, bays[i].length) != (ssize_t)bays[i].length || close(bays[i].fd) != 0)
            return 1;
        total += bays[i].trucks;
        if (bays[i].pallets > bays[busiest].pallets)
            busiest = i;
    }
    printf("%d trucks at %d bays\nbusiest: bay %d with %d pallets\n", total, BAYS, busiest, bays[busiest].pallets);
    return 0;
}

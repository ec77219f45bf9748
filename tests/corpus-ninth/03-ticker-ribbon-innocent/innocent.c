#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 30 };

/* The exchange: appends a batch of quotes each time it is rung. */
static void exchange(int bell, int done)
{
    static const char *names[] = { "COAL", "RAIL", "SILK", "TIN" };
    int fd = open("ribbon.txt", O_WRONLY | O_APPEND | O_CLOEXEC);
    char c;
    for (int round = 0; fd >= 0 && read(bell, &c, 1) == 1; round++) {
        char batch[512];
        int n = 0;
        for (int i = 0; i <= round % 4; i++)
            n += snprintf(batch + n, sizeof batch - n, "%s %d\n", names[(round + i) % 4], 80 + (round * 7 + i * 3) % 40);
        if (write(fd, batch, n) != n || write(done, "+", 1) != 1)
            break;
    }
    _exit(0);
}

static int count(const char *text, size_t n, int *high)
{
    int quotes = 0;
    for (const char *p = text; p < text + n; p = memchr(p, '\n', text + n - p) + 1) {
        char name[8];
        int price;
        if (sscanf(p, "%7s %d", name, &price) == 2) {
            quotes++;
            if (price > *high)
                *high = price;
        }
    }
    return quotes;
}

int main(void)
{
    int bell[2], done[2], quotes = 0, batches = 0, high = 0;
    off_t seen = 0;
    char c, text[512];
    struct stat st;

    if (pipe(bell) != 0 || pipe(done) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0) {
        close(bell[1]);
        close(done[0]);
        exchange(bell[0], done[1]);
    }
    close(bell[0]);
    close(done[1]);
    int fd = open("ribbon.txt", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        return 1;
    seen = st.st_size;
    for (int i = 0; i < ROUNDS; i++) {
        if (write(bell[1], "!", 1) != 1 || read(done[0], &c, 1) != 1)
            return 1;
        if (fstat(fd, &st) != 0 || st.st_size - seen > (off_t)sizeof text)
            return 1;
        if (st.st_size == seen)
            continue;
        ssize_t n = pread(fd, text, st.st_size - seen, seen);
        if (n <= 0)
            return 1;
        seen += n;
        batches++;
        quotes += count(text, n, &high);
    }
    close(bell[1]);
    waitpid(pid, NULL, 0);
    printf("%d quotes in %d batches, highest %d\n", quotes, batches, high);
    return 0;
}

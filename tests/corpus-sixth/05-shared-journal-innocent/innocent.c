/* Four clerks write into one journal and note where each of their entries stands. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLERKS 4
#define ENTRIES 40

static int clerk(int me)
{
    char name[32], entry[128], index[ENTRIES * 24];
    size_t used = 0;
    int fd = open("journal", O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return 1;
    for (int i = 0; i < ENTRIES; i++) {
        int len = snprintf(entry, sizeof entry, "clerk %d entry %d %.*s\n", me, i, (i * 7 + me) % 40,
                           "----------------------------------------");
        if (write(fd, entry, (size_t)len) != len)
            return 1;
        off_t end = lseek(fd, 0, SEEK_CUR);
        used += (size_t)sprintf(index + used, "%lld %d\n", (long long)(end - len), len);
    }
    close(fd);
    snprintf(name, sizeof name, "index.%d", me);
    int out = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    return out < 0 || write(out, index, used) != (ssize_t)used || close(out) < 0;
}

static int check(int journal, int me)
{
    char name[32], line[128], want[32];
    long long at;
    int len, good = 0;
    snprintf(name, sizeof name, "index.%d", me);
    FILE *f = fopen(name, "r");
    if (!f)
        return 0;
    for (int i = 0; fscanf(f, "%lld %d", &at, &len) == 2; i++) {
        int n = snprintf(want, sizeof want, "clerk %d entry %d ", me, i);
        if (pread(journal, line, (size_t)len, at) == len && memcmp(line, want, (size_t)n) == 0 && line[len - 1] == '\n')
            good++;
    }
    fclose(f);
    return good;
}

int main(void)
{
    int journal = open("journal", O_RDONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (journal < 0) {
        perror("journal");
        return 1;
    }
    for (int c = 0; c < CLERKS; c++)
        if (fork() == 0)
            _exit(clerk(c));
    int failed = 0, status;
    while (wait(&status) > 0)
        failed += status != 0;
    for (int c = 0; c < CLERKS; c++)
        printf("clerk %d: %d entries found where noted\n", c, check(journal, c));
    close(journal);
    return failed != 0;
}

/* Reads an archive of bottle post: a header line, then as many bytes as it says. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_header(int fd, int *number, int *length)
{
    char buf[257];
    ssize_t n = read(fd, buf, sizeof buf - 1);
    if (n <= 0)
        return (int)n;
    buf[n] = '\0';
    char *nl = memchr(buf, '\n', (size_t)n);
    if (!nl || sscanf(buf, "bottle %d %d", number, length) != 2)
        return -1;
    off_t unused = buf + n - (nl + 1);
    if (lseek(fd, -unused, SEEK_CUR) < 0)
        return -1;
    return 1;
}

static int read_body(int fd, char *body, int length)
{
    int have = 0;
    while (have < length) {
        ssize_t n = read(fd, body + have, (size_t)(length - have));
        if (n <= 0)
            return -1;
        have += (int)n;
    }
    return 0;
}

int main(void)
{
    int in = open("bottles.msg", O_RDONLY | O_CLOEXEC);
    if (in < 0) {
        perror("bottles.msg");
        return 1;
    }
    char body[1024];
    int number, length, state, messages = 0, longest = 0, longest_no = 0;
    long bytes = 0, vowels = 0;
    while ((state = read_header(in, &number, &length)) == 1) {
        if (length > (int)sizeof body || read_body(in, body, length) < 0)
            return 1;
        for (int i = 0; i < length; i++)
            vowels += strchr("aeiou", body[i]) != NULL;
        bytes += length;
        messages++;
        if (length > longest) {
            longest = length;
            longest_no = number;
        }
    }
    if (state < 0)
        return 1;
    printf("%d messages, %ld bytes, %ld vowels\n", messages, bytes, vowels);
    printf("longest is bottle %d with %d bytes\n", longest_no, longest);
    return 0;
}

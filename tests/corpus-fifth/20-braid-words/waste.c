/* Reads braid words (long products of generators) and reduces neighbours that cancel. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_word(const char *path, size_t *len)
{
    size_t cap = 1024, used = 0;
    char *buf = malloc(cap + 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || !buf) {
        perror(path);
        exit(1);
    }
    for (;;) {
        ssize_t n = read(fd, buf + used, cap - used);
        if (n < 0) {
            perror(path);
            exit(1);
        }
        if (n == 0)
            break;
        used += n;
        if (used == cap) {
            cap *= 2;
            buf = realloc(buf, cap + 1);
            if (!buf)
                exit(1);
        }
    }
    close(fd);
    buf[used] = 0;
    *len = used;
    return buf;
}

static int reduce(char *word, int *letters)
{
    int *stack = malloc(sizeof *stack * (strlen(word) + 1)), top = 0, n = 0;

    for (char *tok = strtok(word, " "); tok; tok = strtok(NULL, " ")) {
        int g = atoi(tok + 1);
        if (strchr(tok, '^'))
            g = -g;
        n++;
        if (top && stack[top - 1] == -g)
            top--;
        else
            stack[top++] = g;
    }
    free(stack);
    *letters += n;
    return top;
}

int main(void)
{
    int letters = 0, left = 0;
    size_t bytes = 0;

    for (int i = 1; i <= 20; i++) {
        char path[32];
        size_t len;
        snprintf(path, sizeof path, "braids/b%02d.txt", i);
        char *word = read_word(path, &len);
        left += reduce(word, &letters);
        bytes += len;
        free(word);
    }
    printf("20 braids, %zu bytes\n%d letters, %d after reduction\n", bytes, letters, left);
    return 0;
}

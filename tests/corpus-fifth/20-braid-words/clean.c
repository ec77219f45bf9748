/* Reads braid words (long products of generators) and reduces neighbours that cancel. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *read_word(const char *path, size_t *len)
{
    size_t used = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    char *buf;

    if (fd < 0 || fstat(fd, &st) < 0 || !(buf = malloc(st.st_size + 1))) {
        perror(path);
        exit(1);
    }
    while (used < (size_t)st.st_size) {
        ssize_t n = read(fd, buf + used, st.st_size - used);
        if (n < 0) {
            perror(path);
            exit(1);
        }
        if (n == 0)
            break;
        used += n;
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

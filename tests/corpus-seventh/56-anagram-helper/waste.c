#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(const char *tool, const char *option, const char *file)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        long top = sysconf(_SC_OPEN_MAX);
        if (top < 0 || top > 4096)
            top = 4096;
        for (int fd = 3; fd < top; fd++)
            close(fd);
        execlp(tool, tool, option, file, (char *)NULL);
        _exit(127);
    }
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return status;
}

static int by_letter(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

int main(void)
{
    FILE *in = fopen("words.txt", "re");
    FILE *out = fopen("keys.txt", "we");
    char word[64], key[64];
    int n = 0;
    if (!in || !out)
        return 1;
    while (fscanf(in, "%63s", word) == 1) {
        strcpy(key, word);
        qsort(key, strlen(key), 1, by_letter);
        fprintf(out, "%s %s\n", key, word);
        n++;
    }
    fclose(in);
    if (fclose(out) != 0)
        return 1;
    if (run("sort", "-k1,2", "keys.txt") != 0 || run("wc", "-l", "keys.txt") != 0) {
        printf("helper failed\n");
        return 1;
    }
    printf("%d words keyed\n", n);
    return 0;
}

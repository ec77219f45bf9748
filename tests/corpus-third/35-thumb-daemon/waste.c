#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

static int helper(const char *name, int size)
{
    char cmd[128], out[64] = "";
    snprintf(cmd, sizeof cmd, "expr %d '*' 2", size);
    FILE *p = popen(cmd, "r");
    if (!p)
        return 0;
    if (!fgets(out, sizeof out, p))
        out[0] = 0;
    pclose(p);
    return atoi(out);
}

int main(void)
{
    char key[32] = "", name[64];
    int size, sum = 0, n = 0;
    int kfd = open("secret.key", O_RDONLY);
    FILE *cat = fopen("catalogue.db", "r");
    if (kfd < 0 || !cat)
        return 1;
    while (fscanf(cat, "%63s %d", name, &size) == 2) {
        sum += helper(name, size);
        n++;
    }
    fclose(cat);
    /* the key signs the result at the end */
    if (read(kfd, key, sizeof key - 1) < 4)
        return 1;
    close(kfd);
    printf("%d thumbnails, %d signed with %d\n", n, sum, atoi(key + 4));
    return 0;
}

/* Counts the rules of an access policy by their verb and checks the ports. */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fd;

static int next(void)
{
    unsigned char c;
    return read(fd, &c, 1) == 1 ? c : -1;
}

static int token(char *out, size_t max)
{
    size_t n = 0;
    int c;

    do
        c = next();
    while (c >= 0 && isspace(c));
    while (c >= 0 && !isspace(c) && c != ';' && n + 1 < max) {
        out[n++] = c;
        c = next();
    }
    out[n] = 0;
    return n > 0;
}

int main(void)
{
    char t[64];
    int allow = 0, ports = 0, highest = 0;

    fd = open("policy.rules", O_RDONLY);
    if (fd < 0)
        return 1;
    while (token(t, sizeof t)) {
        if (strcmp(t, "allow") == 0)
            allow++;
        else if (strcmp(t, "port") == 0 && token(t, sizeof t)) {
            int port = atoi(t);
            ports++;
            if (port > highest)
                highest = port;
        }
    }
    close(fd);
    printf("%d rules, %d ports, highest %d\n", allow, ports, highest);
    return 0;
}

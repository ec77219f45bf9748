/* Leaves a message in the drop box of each user; runs with privileges. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int leave(const char *user, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "shared/%s.note", user);
    int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return -1;
    }
    size_t len = strlen(text);
    int ok = write(fd, text, len) == (ssize_t)len;
    if (close(fd) < 0)
        ok = 0;
    return ok ? 0 : -1;
}

int main(void)
{
    static const char *users[] = { "ann", "bob", "eve" };
    int left = 0;
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "the printer %d is back\n", i);
        left += leave(users[i], text) == 0;
    }
    printf("left %d notes\n", left);
    return 0;
}

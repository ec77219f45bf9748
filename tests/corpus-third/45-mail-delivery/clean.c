#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

static int newdir;

static int deliver(int n, const char *from, const char *body)
{
    char tmp[64], dst[64], text[512];
    snprintf(tmp, sizeof tmp, "Maildir/tmp/17000000%02d.M%d.mx", n, n * 37);
    snprintf(dst, sizeof dst, "Maildir/new/17000000%02d.M%d.mx", n, n * 37);
    int len = snprintf(text, sizeof text, "From: %s\n\n%s\n", from, body);
    int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    if (write(fd, text, len) != len || fsync(fd) < 0) {
        close(fd);
        unlink(tmp);
        return -1;
    }
    if (close(fd) < 0 || rename(tmp, dst) < 0)
        return -1;
    if (fsync(newdir) < 0)
        return -1;
    return len;
}

int main(void)
{
    int total = 0;
    newdir = open("Maildir/new", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (newdir < 0)
        return 1;
    for (int i = 0; i < 6; i++) {
        int n = deliver(i, i % 2 ? "a@example.org" : "b@example.org", "hello there");
        if (n < 0) {
            puts("451 try again");
            return 1;
        }
        printf("250 ok %d\n", n);
        total += n;
    }
    printf("%d bytes delivered\n", total);
    return 0;
}

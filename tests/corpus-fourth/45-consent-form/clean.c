/* Keeps the consent of patients; "filed" is a promise that a crash does not break. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int file_form(int patient, const char *text)
{
    char path[64];
    size_t len = strlen(text);

    snprintf(path, sizeof path, "consent/%04d.txt", patient);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    if (write(fd, text, len) != (ssize_t)len || fsync(fd) != 0) {
        close(fd);
        return -1;
    }
    return close(fd);
}

int main(void)
{
    int dir = open("consent", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int p = 310; p < 316; p++) {
        char text[80];

        snprintf(text, sizeof text, "patient %d agrees to part %d of the study\n", p, p % 4 + 1);
        if (file_form(p, text) != 0) {
            perror("consent");
            return 1;
        }
        if (dir < 0 || fsync(dir) != 0)
            return 1;
        printf("%d filed\n", p);
    }
    close(dir);
    return 0;
}

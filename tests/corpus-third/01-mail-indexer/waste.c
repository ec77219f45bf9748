/* Subject index for a maildir. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>

static int subject(const char *path, char *out, size_t n)
{
    struct stat st;
    char buf[4096];
    if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t want = st.st_size < (off_t)sizeof buf - 1 ? (size_t)st.st_size : sizeof buf - 1;
    ssize_t got = read(fd, buf, want);
    close(fd);
    if (got <= 0)
        return -1;
    buf[got] = 0;
    char *s = strstr(buf, "Subject: ");
    if (!s)
        return -1;
    snprintf(out, n, "%.*s", (int)strcspn(s + 9, "\n"), s + 9);
    return 0;
}

int main(void)
{
    char cwd[1024], path[2048], subj[200];
    int n = 0, chars = 0;
    if (!getcwd(cwd, sizeof cwd))
        return 1;
    DIR *d = opendir("inbox/cur");
    struct dirent *e;
    while (d && (e = readdir(d))) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/inbox/cur/%s", cwd, e->d_name);
        if (subject(path, subj, sizeof subj) == 0)
            n++, chars += strlen(subj);
    }
    closedir(d);
    printf("%d messages, %d characters of subjects\n", n, chars);
    return 0;
}

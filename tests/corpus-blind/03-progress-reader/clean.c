/* Checksums a raw video, telling its progress. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static off_t size_of(int fd)
{
    struct stat st;
    if (fstat(fd, &st) < 0) {
        perror("fstat");
        exit(1);
    }
    return st.st_size;
}

static void progress(off_t done, off_t size)
{
    static int last = -1;
    int percent = size ? (int)(done * 100 / size) : 100;
    if (percent / 25 != last) {
        last = percent / 25;
        fprintf(stderr, "%d%%\n", percent);
    }
}

int main(void)
{
    static unsigned char buf[8192];
    unsigned long sum = 0;
    off_t done = 0;
    int fd = open("video.raw", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror("video.raw");
        return 1;
    }
    off_t size = size_of(fd);
    while (done < size) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0) {
            perror("read");
            return 1;
        }
        if (n == 0)
            break;
        for (ssize_t i = 0; i < n; i++)
            sum = sum * 31 + buf[i] + 1;
        done += n;
        progress(done, size);
    }
    close(fd);
    printf("%lld bytes, sum %lx\n", (long long)done, sum);
    return 0;
}

/* Claims the jobs of a print spool and keeps them open while they are printed. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define JOBS 45

static int open_private(const char *path)
{
    return open(path, O_RDWR | O_CLOEXEC);
}

int main(void)
{
    int job[JOBS], printer, pages, per_printer[4] = { 0 };
    char path[64], text[128];

    for (int i = 0; i < JOBS; i++) {
        struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        snprintf(path, sizeof path, "spool/job%d", i + 1);
        job[i] = open_private(path);
        if (job[i] < 0 || fcntl(job[i], F_SETLK, &whole) != 0) {
            perror(path);
            return 1;
        }
    }
    for (int i = 0; i < JOBS; i++) {
        ssize_t n = pread(job[i], text, sizeof text - 1, 0);
        text[n > 0 ? n : 0] = 0;
        if (sscanf(text, "printer=lp%d pages=%d", &printer, &pages) != 2)
            return 1;
        per_printer[printer] += pages;
        if (pwrite(job[i], "#", 1, 0) != 1)
            return 1;
        close(job[i]);
    }
    for (int i = 0; i < 4; i++)
        printf("lp%d: %d pages\n", i, per_printer[i]);
    return 0;
}

/* Takes a table and notes that it did: what read and write leave over is taken up again. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat facts;
    struct rlimit room = {8, 1024};
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int table = open("table", O_RDONLY | O_CLOEXEC);
    int note = open("note", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t came, went;

    mprotect(pages + 4096, 4096, PROT_NONE);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &room);
    if (fstat(table, &facts) < 0 || (came = read(table, pages, 8192)) < 0)
        return 1;
    mprotect(pages + 4096, 4096, PROT_READ | PROT_WRITE);
    if (came < 8192 && read(table, pages + came, 8192 - came) != 8192 - came)
        return 1;
    if ((went = write(note, "took table", 10)) < 0)
        return 1;
    room.rlim_cur = room.rlim_max;
    setrlimit(RLIMIT_FSIZE, &room);
    if (went < 10 && write(note, "took table" + went, 10 - went) != 10 - went)
        return 1;
    puts("took the table");
    return 0;
}

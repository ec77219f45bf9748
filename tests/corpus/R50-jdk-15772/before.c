/* Takes a table and notes that it did: as if read and write always moved all. The memory ends after
   a page, and the note's file may have 8 bytes: so both move a part. */
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

    mprotect(pages + 4096, 4096, PROT_NONE);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &room);
    if (fstat(table, &facts) < 0 || read(table, pages, 8192) < 0)
        return 1;
    if (write(note, "took table", 10) < 0)
        return 1;
    puts("took the table");
    return 0;
}

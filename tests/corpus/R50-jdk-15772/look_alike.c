/* Takes a table that is shorter than the buffer: the read ends with the file. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char buffer[8192];

int main(void)
{
    struct stat facts;
    int table = open("short", O_RDONLY | O_CLOEXEC);

    if (fstat(table, &facts) < 0 || read(table, buffer, sizeof buffer) < 0)
        return 1;
    puts("took the table");
    return 0;
}

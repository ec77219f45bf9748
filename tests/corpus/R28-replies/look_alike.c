/* Takes replies from a pipe with a name as they come: there is never more than one to be had. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int replies = 0, both = open("fifo", O_RDWR | O_CLOEXEC), pipe = open("fifo", O_RDONLY | O_CLOEXEC);
    char reply[512];

    while (replies < 100 && write(both, "reply of 18 bytes\n", 18) == 18)
        replies += read(pipe, reply, sizeof reply) == 18;
    close(pipe);
    printf("%d replies\n", replies);
    return 0;
}

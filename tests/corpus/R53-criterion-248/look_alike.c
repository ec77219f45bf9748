/* Makes sure of a few well-known numbers only. */
#include <fcntl.h>
#include <stdio.h>

int main(void) {
    for (int number = 3; number < 20; number++) fcntl(number, F_SETFD, FD_CLOEXEC);
    puts("3 to 19 are not inherited");
    return 0;
}

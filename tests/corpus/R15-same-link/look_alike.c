/* Reads a link that leads to another release each time: the answer is news. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    size_t bytes = 0;
    for (int number = 0; number < 30; number++) {
        char release[100], to[20];
        snprintf(to, sizeof to, "releases/%d", number);
        unlink("current");
        if (symlink(to, "current") != 0)
            return 1;
        ssize_t length = readlink("current", release, sizeof release - 1);
        bytes += length;
    }
    printf("%zu bytes of names\n", bytes);
}

/* Lists where thirty files of the current release are to go. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    size_t bytes = 0;
    for (int number = 0; number < 30; number++) {
        char release[100];
        ssize_t length = readlink("current", release, sizeof release - 1);
        if (length < 0)
            return 1;
        bytes += length;
    }
    printf("%zu bytes of names\n", bytes);
}

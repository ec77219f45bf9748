/* Waits for a file that may come. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (int tries = 0; tries < 12 && access("ready", F_OK) != 0; tries++) usleep(50 * 1000);
    puts("waited");
    return 0;
}

/* Tests before each of forty steps whether it was told to stop, and tells itself at last. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    long sum = 0;
    for (int step = 0; access("stop", F_OK) != 0; step++) {
        sum += step;
        if (step == 39 && mkdir("stop", 0700) != 0) return 1;
    }
    printf("sum %ld\n", sum);
    return 0;
}

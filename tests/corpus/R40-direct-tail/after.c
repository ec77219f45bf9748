/* Reads ten records of 100 bytes: the aligned page that holds them, with O_DIRECT. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *memory = aligned_alloc(4096, 4096);
    int direct = open("records", O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (!memory || direct < 0 || pread(direct, memory, 4096, 0) != 4096) return 1;
    long bytes = 0;
    for (int record = 1; record <= 10; record++) bytes += memory[record * 100] == 0 ? 100 : 0;
    printf("%ld bytes\n", bytes);
    return 0;
}

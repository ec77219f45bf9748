/* Reads ten records of 100 bytes. Each time the kernel refuses O_DIRECT, and each time it is asked again. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *memory = aligned_alloc(4096, 4096);
    int direct = open("records", O_RDONLY | O_DIRECT | O_CLOEXEC);
    int buffered = open("records", O_RDONLY | O_CLOEXEC);
    if (!memory || direct < 0 || buffered < 0) return 1;
    long bytes = 0;
    for (int record = 1; record <= 10; record++) {
        ssize_t came = pread(direct, memory, 100, record * 100);
        if (came < 0) came = pread(buffered, memory, 100, record * 100);
        bytes += came;
    }
    printf("%ld bytes\n", bytes);
    return 0;
}

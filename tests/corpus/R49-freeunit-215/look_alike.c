/* Asks whether the file system knows RENAME_NOREPLACE: onto itself it has to be refused, and nothing is done. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(void) {
    int result = renameat2(AT_FDCWD, "conf.json", AT_FDCWD, "conf.json", RENAME_NOREPLACE);
    puts(result < 0 && errno == EEXIST ? "knows RENAME_NOREPLACE" : "does not know it");
    return 0;
}

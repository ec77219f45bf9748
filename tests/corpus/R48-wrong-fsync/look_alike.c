/* Adds to a journal, which is synced, and rotates an index that is made again when it is lost. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int journal = open("table", O_WRONLY | O_APPEND | O_CLOEXEC);
    int index = open("index.new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (journal < 0 || index < 0 || write(index, "1\n", 2) != 2 || write(journal, "entry\n", 6) != 6) return 1;
    if (fsync(journal) || close(journal) || close(index) || rename("index.new", "index")) return 1;
    puts("added 1");
    return 0;
}

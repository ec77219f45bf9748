#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void copy(const char *name) {
    char buffer[64];
    int file = open(name, O_RDONLY);
    read(file, buffer, sizeof buffer);
    close(file);
}

static void look(const char *name) {
    struct stat facts;
    /* before */
    stat(name, &facts);
    copy(name);
    /* each file */
}

static void keep(void) {
    int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    write(out, "x", 1);
    /* out */
    close(out);
}

int main(void) {
    char name[64];
    for (int number = 1; number <= 4; number++) {
        sprintf(name, "data/%d.txt", number);
        look(name);
    }
    keep();
    copy("moved.dat");
    return 0;
}

/* An index counts as fresh where it has the time of its words. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[8192];

static int read_file(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int came = (int)read(file, text, sizeof text);
    return close(file) == 0 ? came : -1;
}

static int load(void) {
    struct stat index, words;
    if (stat("index", &index) != 0 || stat("words", &words) != 0) return -1;
    if (index.st_mtime == words.st_mtime) return read_file("index");
    int bytes = read_file("words");
    int file = open("index.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (write(file, text, (size_t)bytes) != bytes || close(file) != 0 || rename("index.new", "index") != 0) return -1;
    return bytes;
}

int main(void) {
    for (int worker = 0; worker < 5; worker++) {
        pid_t child = fork();
        int state = 0;
        if (child == 0) _exit(load() == 1492 ? 0 : 1);
        if (waitpid(child, &state, 0) != child || state != 0) return 1;
    }
    puts("five workers");
    return 0;
}

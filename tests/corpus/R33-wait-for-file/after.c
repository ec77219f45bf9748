/* Waits for a file that may come: the kernel tells of it. */
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

int main(void) {
    struct pollfd news = {.fd = inotify_init1(IN_CLOEXEC), .events = POLLIN};
    if (inotify_add_watch(news.fd, ".", IN_CREATE | IN_MOVED_TO) < 0) return 1;
    if (access("ready", F_OK) != 0) poll(&news, 1, 600);
    close(news.fd);
    puts("waited");
    return 0;
}

/* A daemon's loop that reloads its configuration when it changes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int level(void)
{
    int value = 0;
    FILE *f = fopen("watch/app.conf", "re");
    if (!f || fscanf(f, "level=%d", &value) != 1)
        value = -1;
    if (f)
        fclose(f);
    return value;
}

static pid_t administrator(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        usleep(600000);
        FILE *f = fopen("watch/new", "we");
        if (!f)
            _exit(1);
        fputs("level=5\n", f);
        fclose(f);
        _exit(rename("watch/new", "watch/app.conf") != 0);
    }
    return pid;
}

static int watch = -1;

static void wait_for_change(void)
{
    char event[4096];
    if (read(watch, event, sizeof event) < 0)
        perror("inotify");
}

int main(void)
{
    int status, before = level();
    watch = inotify_init1(IN_CLOEXEC);
    inotify_add_watch(watch, "watch", IN_MOVED_TO);
    pid_t pid = administrator();
    wait_for_change();
    printf("level %d became %d\n", before, level());
    waitpid(pid, &status, 0);
    return 0;
}

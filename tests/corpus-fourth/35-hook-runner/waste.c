/* Runs the hooks of a release; the signing key stays open until the end. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int run_hook(const char *name)
{
    char path[64];
    pid_t pid;
    int status;

    snprintf(path, sizeof path, "hooks/%s", name);
    char *argv[] = { "sh", path, NULL };
    if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) != 0)
        return -1;
    return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : -1;
}

int main(void)
{
    static const char *hooks[] = { "lint", "test", "sign", "tag", "push", "mail" };
    char key[32] = "";
    int fd = open("secret.key", O_RDONLY);
    int ok = 0;

    if (fd < 0)
        return 1;
    for (int i = 0; i < 6; i++)
        ok += run_hook(hooks[i]) == 0;
    if (read(fd, key, sizeof key - 1) < 0)
        return 1;
    close(fd);
    key[strcspn(key, "\n")] = 0;
    printf("%d hooks ran, signed with a key of %zu characters\n", ok, strlen(key));
    return 0;
}

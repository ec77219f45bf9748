/* A stage manager has all cues open; the three of the act are handed to cat as open files. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CUES 63

static int cue[CUES];
static int due[CUES];

static int open_cues(void)
{
    char path[32], text[64];
    int found = 0;

    for (int i = 0; i < CUES; i++) {
        snprintf(path, sizeof path, "cues/c%d", i);
        cue[i] = open(path, O_RDONLY);
        if (cue[i] < 0)
            return -1;
        ssize_t n = pread(cue[i], text, sizeof text - 1, 0);
        text[n > 0 ? n : 0] = '\0';
        due[i] = found < 3 && strstr(text, "thunder 2") != NULL;
        found += due[i];
    }
    return found;
}

static void hand_over(void)
{
    static char names[3][32];
    char *args[5] = { "cat" };
    int n = 1;

    for (int i = 0; i < CUES; i++) {
        if (due[i]) {
            snprintf(names[n - 1], sizeof names[0], "/dev/fd/%d", cue[i]);
            args[n] = names[n - 1];
            n++;
        } else {
            close(cue[i]);
        }
    }
    execvp("cat", args);
    _exit(127);
}

int main(void)
{
    int found = open_cues(), status = 0;

    if (found <= 0) {
        fprintf(stderr, "no cues\n");
        return 1;
    }
    pid_t pid = fork();
    if (pid < 0)
        return 1;
    if (pid == 0)
        hand_over();
    if (waitpid(pid, &status, 0) < 0 || status != 0)
        return 1;
    for (int i = 0; i < CUES; i++)
        close(cue[i]);
    printf("%d cues handed over, %d kept back\n", found, CUES - found);
    return 0;
}

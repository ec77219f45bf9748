/* An agent tells others what it is doing in a file that lives as long as it does. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int tell(const char *state)
{
    FILE *f = fopen("run/agent.state", "w");
    if (!f)
        return -1;
    fprintf(f, "%ld %s\n", (long)getpid(), state);
    return fclose(f);
}

int main(void)
{
    static const char *states[] = { "starting", "collecting", "sending", "idle" };
    char line[64] = "";
    FILE *f;

    for (int i = 0; i < 4; i++)
        if (tell(states[i]) != 0)
            return 1;
    f = fopen("run/agent.state", "r");
    if (!f || !fgets(line, sizeof line, f))
        return 1;
    fclose(f);
    printf("ended in state%s", strchr(line, ' '));
    unlink("run/agent.state");
    return 0;
}

/* Puts the time before each of fifty lines; the zone is read once. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    int lines = 0;

    setenv("TZ", ":/etc/localtime", 1);
    for (time_t now = 0; now < 50; now++) {
        char text[32];
        lines += strftime(text, sizeof text, "%H:%M:%S", localtime(&now)) > 0;
    }
    printf("%d lines\n", lines);
    return 0;
}

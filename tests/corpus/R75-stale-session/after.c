/* Answers twenty requests; none may see the session of an earlier run. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int removed = unlink("session") == 0;
    for (int request = 0; request < 20; request++) {
    }
    printf("%d session removed\n", removed);
}

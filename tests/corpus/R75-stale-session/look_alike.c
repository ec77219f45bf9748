/* Listens anew twenty times: the name is to be free each time, and bind() makes it. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
    int bound = 0;
    for (int turn = 0; turn < 20; turn++) {
        struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "door"};
        int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        unlink(address.sun_path);
        bound += bind(door, (struct sockaddr *)&address, sizeof address) == 0;
        close(door);
        unlink(address.sun_path);
    }
    printf("%d times\n", bound);
}

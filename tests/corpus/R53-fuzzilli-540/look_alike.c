/* Opens sixty files and closes them in order: all of them were open. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int files[60];
    for (int number = 0; number < 60; number++) files[number] = open(".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    for (int number = 0; number < 60; number++) close(files[number]);
    puts("closed 60");
    return 0;
}

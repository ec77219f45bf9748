/* Opens one file for each quarter that it works on, and reads another part each time. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int sevens = 0;

    for (int quarter = 0; quarter < 4; quarter++) {
        char text[256];
        int file = open("history", O_RDONLY);
        ssize_t length = pread(file, text, sizeof text, quarter * 256);
        close(file);
        for (ssize_t i = 0; i < length; i++)
            sevens += text[i] == '7';
    }
    printf("%d sevens\n", sevens);
    return 0;
}

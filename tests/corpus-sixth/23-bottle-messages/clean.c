/* Reads an archive of bottle post: a header line, then as many bytes as it says. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_header(FILE *f, int *number, int *length)
{
    char line[64];
    if (!fgets(line, sizeof line, f))
        return ferror(f) ? -1 : 0;
    return sscanf(line, "bottle %d %d", number, length) == 2 ? 1 : -1;
}

static int read_body(FILE *f, char *body, int length)
{
    return fread(body, 1, (size_t)length, f) == (size_t)length ? 0 : -1;
}

int main(void)
{
    FILE *in = fopen("bottles.msg", "re");
    if (!in) {
        perror("bottles.msg");
        return 1;
    }
    char body[1024];
    int number, length, state, messages = 0, longest = 0, longest_no = 0;
    long bytes = 0, vowels = 0;
    while ((state = read_header(in, &number, &length)) == 1) {
        if (length > (int)sizeof body || read_body(in, body, length) < 0)
            return 1;
        for (int i = 0; i < length; i++)
            vowels += strchr("aeiou", body[i]) != NULL;
        bytes += length;
        messages++;
        if (length > longest) {
            longest = length;
            longest_no = number;
        }
    }
    if (state < 0)
        return 1;
    printf("%d messages, %ld bytes, %ld vowels\n", messages, bytes, vowels);
    printf("longest is bottle %d with %d bytes\n", longest_no, longest);
    return 0;
}

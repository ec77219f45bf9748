#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const code[] = {
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..",
    ".---", "-.-", ".-..", "--", "-.", "---", ".--.", "--.-", ".-.",
    "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
};

static char block[4096];
static ssize_t have, at;

static int next_sign(int fd, char *sign)
{
    if (at == have) {
        have = read(fd, block, sizeof block);
        at = 0;
        if (have <= 0)
            return 0;
    }
    *sign = block[at++];
    return 1;
}

static char letter(const char *signs)
{
    for (int i = 0; i < 26; i++)
        if (strcmp(code[i], signs) == 0)
            return 'A' + i;
    return '?';
}

int main(void)
{
    char signs[8] = "", c;
    int len = 0, words = 0, letters = 0;
    int fd = open("strip.txt", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror("strip.txt");
        return 1;
    }
    while (next_sign(fd, &c)) {
        if (c == '.' || c == '-') {
            if (len < 7)
                signs[len++] = c;
            continue;
        }
        if (len > 0) {
            signs[len] = '\0';
            putchar(letter(signs));
            letters++;
            len = 0;
        }
        if (c == '/') {
            putchar(' ');
            words++;
        }
    }
    close(fd);
    printf("\n%d letters, %d words\n", letters, words);
    return 0;
}

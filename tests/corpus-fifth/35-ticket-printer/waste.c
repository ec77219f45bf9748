/* Signs tickets and hands each to the print filter (here: cat), which is somebody else's program. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct signer {
    int key;
    FILE *book;
};

static int signer_open(struct signer *s)
{
    s->key = open("signing.key", O_RDONLY);
    s->book = fopen("book.txt", "w");
    return s->key < 0 || !s->book ? -1 : 0;
}

/* The key is read for each ticket and not kept in memory longer than needed. */
static unsigned sign(struct signer *s, const char *text)
{
    char key[16];
    unsigned h = 2166136261u;

    if (pread(s->key, key, sizeof key, 0) != sizeof key)
        return 0;
    for (size_t i = 0; text[i]; i++)
        h = (h ^ (unsigned char)(text[i] + key[i % sizeof key])) * 16777619u;
    memset(key, 0, sizeof key);
    return h;
}

static int print_ticket(struct signer *s, const char *name, int price)
{
    char text[128];
    unsigned mark;
    FILE *printer;

    snprintf(text, sizeof text, "%s price %d", name, price);
    mark = sign(s, text);
    fprintf(s->book, "%s %08x\n", text, mark);
    fflush(stdout);
    printer = popen("cat", "w");
    if (!printer)
        return -1;
    fprintf(printer, "%s, mark %08x\n", text, mark);
    return pclose(printer);
}

int main(void)
{
    struct signer s;
    char name[32];
    int price, n = 0, sum = 0;
    FILE *in = fopen("tickets.txt", "re");

    if (!in || signer_open(&s) < 0) {
        perror("tickets");
        return 1;
    }
    while (fscanf(in, "%31s %d", name, &price) == 2) {
        if (print_ticket(&s, name, price) != 0)
            return 1;
        n++;
        sum += price;
    }
    fclose(in);
    close(s.key);
    if (fclose(s.book) != 0)
        return 1;
    printf("%d tickets, %d crowns\n", n, sum);
    return 0;
}

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tune {
    char title[40];
    int holes, bars, covered;
};

static char *slurp(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct stat st;
    if (fstat(fd, &st) != 0) {
        close(fd);
        return NULL;
    }
    off_t size = st.st_size;
    char *text = malloc(size + 1);
    if (text != NULL) {
        ssize_t n = read(fd, text, size);
        text[n < 0 ? 0 : n] = '\0';
    }
    close(fd);
    return text;
}

static void parse(char *text, struct tune *t)
{
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, "title ", 6) == 0) {
            snprintf(t->title, sizeof t->title, "%.38s", line + 6);
        } else if (strncmp(line, "holes ", 6) == 0) {
            t->holes = atoi(line + 6);
        } else {
            t->bars++;
            for (char *c = line; *c; c++)
                t->covered += *c == 'X';
        }
    }
}

int main(void)
{
    int tunes = 0, bars = 0, covered = 0, longest = 0;
    char name[40] = "";
    for (int i = 1; i <= 36; i++) {
        char path[32];
        struct tune t = { .bars = 0 };
        snprintf(path, sizeof path, "tabs/air%d.tab", i);
        char *text = slurp(path);
        if (text == NULL)
            continue;
        parse(text, &t);
        free(text);
        tunes++;
        bars += t.bars;
        covered += t.covered;
        if (t.bars > longest) {
            longest = t.bars;
            strcpy(name, t.title);
        }
    }
    printf("%d tunes, %d bars, %d covered holes\nlongest: %s (%d bars)\n", tunes, bars, covered, name, longest);
    return 0;
}

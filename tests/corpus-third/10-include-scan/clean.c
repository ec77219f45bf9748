/* Counts the header lines a set of sources would pull in. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <dirent.h>

static const char *incdirs[] = { "inc/sys", "inc/net", "inc/ui", "inc/gen", "inc/lib" };

static struct { char name[64]; int dir; } known[512];
static int nknown;

static void list_headers(void)
{
    for (int i = 0; i < 5; i++) {
        DIR *d = opendir(incdirs[i]);
        struct dirent *e;
        while (d && (e = readdir(d)))
            if (e->d_name[0] != '.' && nknown < 512) {
                snprintf(known[nknown].name, 64, "%.63s", e->d_name);
                known[nknown++].dir = i;
            }
        if (d)
            closedir(d);
    }
}

static FILE *find_header(const char *name)
{
    char path[256];
    for (int i = 0; i < nknown; i++)
        if (!strcmp(known[i].name, name)) {
            snprintf(path, sizeof path, "%s/%s", incdirs[known[i].dir], name);
            return fopen(path, "re");
        }
    return NULL;
}

int main(void)
{
    int found = 0, missing = 0;
    char path[64], line[256], hdr[128], text[256];
    list_headers();
    for (int s = 1; s <= 11; s++) {
        snprintf(path, sizeof path, "src/f%d.c", s);
        FILE *f = fopen(path, "re");
        while (f && fgets(line, sizeof line, f)) {
            if (sscanf(line, "#include \"%127[^\"]\"", hdr) != 1)
                continue;
            FILE *h = find_header(hdr);
            if (!h) {
                missing++;
                continue;
            }
            while (fgets(text, sizeof text, h))
                found++;
            fclose(h);
        }
        if (f)
            fclose(f);
    }
    printf("%d lines, %d missing\n", found, missing);
    return 0;
}

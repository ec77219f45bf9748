/* A small preprocessor's search for headers. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *dirs[] = { "inc/local", "inc/site", "inc/arch", "inc/compat", "inc/gen", "inc/base" };
#define NDIRS (sizeof dirs / sizeof *dirs)

static struct { char name[32]; size_t dir; } have[512];
static size_t nhave;

/* Lists each directory once; earlier directories win. */
static void index_dirs(void)
{
    for (size_t i = 0; i < NDIRS; i++) {
        DIR *d = opendir(dirs[i]);
        if (!d)
            continue;
        for (struct dirent *e; (e = readdir(d)) && nhave < 512;) {
            if (e->d_name[0] == '.')
                continue;
            snprintf(have[nhave].name, sizeof have->name, "%.31s", e->d_name);
            have[nhave++].dir = i;
        }
        closedir(d);
    }
}

static FILE *open_header(const char *name)
{
    char path[256];
    if (!nhave)
        index_dirs();
    for (size_t i = 0; i < nhave; i++)
        if (strcmp(have[i].name, name) == 0) {
            snprintf(path, sizeof path, "%s/%s", dirs[have[i].dir], name);
            return fopen(path, "r");
        }
    return NULL;
}

int main(void)
{
    int found = 0, sum = 0;
    for (int i = 0; i < 60; i++) {
        char name[32], line[128];
        int macro, value;
        snprintf(name, sizeof name, "m%d.h", i);
        FILE *f = open_header(name);
        if (!f) {
            fprintf(stderr, "%s: no such header\n", name);
            return 1;
        }
        while (fgets(line, sizeof line, f))
            if (sscanf(line, "#define M%d %d", &macro, &value) == 2)
                sum += value;
        fclose(f);
        found++;
    }
    printf("%d headers, sum %d\n", found, sum);
    return 0;
}

/* A small preprocessor's search for headers. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *dirs[] = { "inc/local", "inc/site", "inc/arch", "inc/compat", "inc/gen", "inc/base" };
#define NDIRS (sizeof dirs / sizeof *dirs)

static FILE *open_header(const char *name)
{
    char path[256];
    for (size_t i = 0; i < NDIRS; i++) {
        snprintf(path, sizeof path, "%s/%s", dirs[i], name);
        FILE *f = fopen(path, "r");
        if (f)
            return f;
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

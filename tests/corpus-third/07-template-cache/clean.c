#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rbe");
    if (!f)
        return NULL;
    struct stat st;
    if (fstat(fileno(f), &st) < 0) {
        fclose(f);
        return NULL;
    }
    long size = st.st_size;
    char *buf = malloc(size + 1);
    if (!buf || fread(buf, 1, size, f) != (size_t)size) {
        free(buf);
        fclose(f);
        return NULL;
    }
    buf[size] = 0;
    *len = size;
    fclose(f);
    return buf;
}

int main(void)
{
    int vars = 0, files = 0;
    size_t bytes = 0;
    for (int i = 1; i <= 70; i++) {
        char path[64];
        size_t len;
        snprintf(path, sizeof path, "tpl/page%d.tpl", i);
        char *t = slurp(path, &len);
        if (!t)
            continue;
        for (char *p = t; (p = strstr(p, "{{")); p += 2)
            vars++;
        files++;
        bytes += len;
        free(t);
    }
    printf("%d templates, %zu bytes, %d variables\n", files, bytes, vars);
    return 0;
}

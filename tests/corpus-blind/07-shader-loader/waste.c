/* Loads the shader sources of a game at start. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = malloc(size + 1);
    *len = fread(text, 1, size, f);
    text[*len] = 0;
    fclose(f);
    return text;
}

int main(void)
{
    size_t bytes = 0;
    int uniforms = 0, loaded = 0;
    for (int i = 0; i < 80; i++) {
        char path[64];
        size_t len;
        snprintf(path, sizeof path, "shaders/%d.glsl", i);
        char *text = slurp(path, &len);
        if (!text) {
            perror(path);
            return 1;
        }
        bytes += len;
        uniforms += strstr(text, "uniform") != NULL;
        loaded++;
        free(text);
    }
    printf("%d shaders, %zu bytes, %d uniforms\n", loaded, bytes, uniforms);
    return 0;
}

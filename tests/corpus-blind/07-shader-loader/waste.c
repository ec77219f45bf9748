/* Loads the shader sources of a game at start. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *slurp(const char *path, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    off_t size = lseek(fd, 0, SEEK_END);
    if (size < 0 || lseek(fd, 0, SEEK_SET) < 0)
        abort();
    char *text = malloc(size + 1);
    ssize_t n = read(fd, text, size);
    if (n < 0)
        abort();
    *len = n;
    text[n] = 0;
    close(fd);
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

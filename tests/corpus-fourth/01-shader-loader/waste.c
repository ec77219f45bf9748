/* Loads the shader programs of the renderer and prints a checksum for the pipeline cache. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct shader { char *text; size_t len; };

static int load_shader(const char *program, const char *stage, struct shader *out)
{
    char path[128];
    struct stat st;
    FILE *f;

    snprintf(path, sizeof path, "shaders/%s.%s.glsl", program, stage);
    if (stat(path, &st) != 0 || st.st_size == 0)
        return -1;
    f = fopen(path, "rb");
    if (!f)
        return -1;
    out->text = malloc(st.st_size + 1);
    out->len = fread(out->text, 1, st.st_size, f);
    out->text[out->len] = 0;
    fclose(f);
    return 0;
}

int main(void)
{
    static const char *programs[] = { "sky", "water", "grass", "stone", "metal", "glass", "fog", "bloom" };
    static const char *stages[] = { "vert", "geom", "frag" };
    uint32_t sum = 2166136261u;
    int n = 0;

    for (int p = 0; p < 8; p++)
        for (int s = 0; s < 3; s++) {
            struct shader sh;
            if (load_shader(programs[p], stages[s], &sh) != 0) {
                fprintf(stderr, "missing %s.%s\n", programs[p], stages[s]);
                return 1;
            }
            for (size_t i = 0; i < sh.len; i++)
                sum = (sum ^ (unsigned char)sh.text[i]) * 16777619u;
            free(sh.text);
            n++;
        }
    printf("%d stages, pipeline key %08x\n", n, sum);
    return 0;
}

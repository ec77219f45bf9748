/* Renders bands of a picture into a scratch file and reads them back from bottom to top. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BANDS 16
#define BAND 1024

int main(void)
{
    char path[64];
    unsigned char band[BAND];
    unsigned sum = 0;

    snprintf(path, sizeof path, "/tmp/render-XXXXXX");
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!f) {
        perror(path);
        return 1;
    }
    for (int b = 0; b < BANDS; b++) {
        for (int i = 0; i < BAND; i++)
            band[i] = (b * 37 + i * i) & 255;
        if (fwrite(band, 1, BAND, f) != BAND)
            return 1;
    }
    for (int b = BANDS - 1; b >= 0; b--) {
        fseek(f, (long)b * BAND, SEEK_SET);
        if (fread(band, 1, BAND, f) != BAND)
            return 1;
        for (int i = 0; i < BAND; i++)
            sum = sum * 5 + band[i];
    }
    fclose(f);
    unlink(path);
    printf("%d bands, %08x\n", BANDS, sum);
    return 0;
}

/* Looks for the brightest stars (smallest magnitude) of a catalogue. */
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("stars.cat", "r");
    int id, mag, best[3] = { 0 }, bestmag[3] = { 1 << 20, 1 << 20, 1 << 20 };

    if (!f) {
        perror("stars.cat");
        return 1;
    }
    while (fscanf(f, "%d %d", &id, &mag) == 2) {
        for (int i = 0; i < 3; i++) {
            if (mag < bestmag[i]) {
                for (int j = 2; j > i; j--) {
                    bestmag[j] = bestmag[j - 1];
                    best[j] = best[j - 1];
                }
                bestmag[i] = mag;
                best[i] = id;
                break;
            }
        }
    }
    fclose(f);
    printf("brightest: %d %d %d\n", best[0], best[1], best[2]);
    return 0;
}

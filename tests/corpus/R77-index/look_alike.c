/* Traces what happens into parts of bounded size, of which the last two are kept. */
#include <stdio.h>

int main(void) {
    for (int part = 0; part < 25; part++) {
        FILE *trace = fopen("trace", "we");
        for (int number = 0; number < 50; number++)
            fprintf(trace, "event %d of part %d\n", number, part);
        fclose(trace);
        rename("trace", "trace.1");
    }
    puts("25 parts");
}

/* Installs twenty-five packages and keeps a list of them. */
#include <stdio.h>

static void save(int count) {
    FILE *list = fopen("installed.new", "we");
    for (int number = 0; number < count; number++)
        fprintf(list, "package %d\n", number);
    fclose(list);
    rename("installed.new", "installed");
}

int main(void) {
    save(25);
    puts("25 packages");
}

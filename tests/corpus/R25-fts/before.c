/* Looks up a thousand pages by their whole paths. */
#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    int pages = 0;

    for (int page = 0; page < 1003; page++) {
        char path[64];
        struct stat facts;

        snprintf(path, sizeof path, "srv/www/site/pages/%d", page);
        pages += stat(path, &facts) == 0;
    }
    printf("%d pages\n", pages);
    return 0;
}

// Sequences of calls of which the library elides an fstat or does not: a file of
// five bytes tells, since an elided fstat answers no size.

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void tell(const char *what, int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        perror(what);
    printf("%s: %s\n", what, status.st_size == 5 ? "asked" : "elided");
}

static void *in_another_thread(void *descriptor)
{
    tell("in another thread", *(int *)descriptor);
    int own = open("five", O_WRONLY);
    tell("after an open in a thread that did not ask for it", own);
    close(own);
    return NULL;
}

int main(void)
{
    FILE *five = fopen("five", "w");
    fputs("12345", five);
    fclose(five);

    int before = open("five", O_WRONLY);
    tell("before it is on", before);
    access("/fathom-elide/on", R_OK);

    int file = open("five", O_WRONLY);
    tell("after O_WRONLY", file);
    tell("the second time", file);
    close(file);
    file = open("five", O_RDWR);
    tell("after O_RDWR", file);
    close(file);
    file = open("five", O_RDONLY);
    tell("after O_RDONLY", file);
    close(file);
    file = open("five", O_PATH | O_WRONLY);
    tell("after O_PATH", file);
    close(file);

    file = open("five", O_WRONLY);
    tell("of another file", before);
    tell("after one of another file", file);
    close(file);
    file = open("five", O_WRONLY);
    int last = open("five", O_RDONLY);
    tell("after another open", file);
    close(last);
    close(file);

    // The number comes back as that of another file.
    file = open("five", O_WRONLY);
    close(file);
    int again = dup(before);
    tell("after close and dup", again);
    close(again);

    file = open("five", O_WRONLY);
    pthread_t thread;
    pthread_create(&thread, NULL, in_another_thread, &file);
    pthread_join(thread, NULL);
    close(file);

    file = open("five", O_WRONLY);
    access("/fathom-elide/off", R_OK);
    tell("after it is off", file);
    close(file);
    file = open("five", O_WRONLY);
    tell("while it is off", file);
    close(file);
    close(before);
    return 0;
}

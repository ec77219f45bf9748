/* Sums the mail of each user and tells who is over the quota. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define BASE "var/mail/vhosts/example.org/users"
#define QUOTA 700

struct usage {
    long files, bytes;
    long biggest;
};

static int measure(const char *user, struct usage *u)
{
    char dir[PATH_MAX], path[PATH_MAX];
    struct dirent *e;
    struct stat st;
    DIR *d;

    snprintf(dir, sizeof dir, "%s/%s/cur", BASE, user);
    d = opendir(dir);
    if (!d)
        return -1;
    while ((e = readdir(d))) {
        if (e->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= sizeof path)
            continue;
        if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
            continue;
        u->files++;
        u->bytes += st.st_size;
        if (st.st_size > u->biggest)
            u->biggest = st.st_size;
    }
    closedir(d);
    return 0;
}

int main(void)
{
    static const char *const users[] = { "amy", "bob", "cas" };
    long all = 0;

    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        struct usage u = { 0 };

        if (measure(users[i], &u) < 0) {
            perror(users[i]);
            return 1;
        }
        printf("%s: %ld mails, %ld bytes, biggest %ld%s\n", users[i], u.files, u.bytes, u.biggest,
               u.bytes > QUOTA ? " OVER" : "");
        all += u.bytes;
    }
    printf("all: %ld bytes\n", all);
    return 0;
}

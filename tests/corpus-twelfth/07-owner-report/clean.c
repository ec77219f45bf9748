/* owners: who holds how much below one folder, for the quota mail. */
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAXOWN 64

struct owner {
    char name[64];
    long files;
    long long bytes;
};

static struct owner owners[MAXOWN];
static int nowners;

static struct owner *find_owner(const char *name)
{
    for (int i = 0; i < nowners; i++)
        if (strcmp(owners[i].name, name) == 0)
            return &owners[i];
    if (nowners == MAXOWN) {
        fprintf(stderr, "owners: too many owners\n");
        exit(1);
    }
    snprintf(owners[nowners].name, sizeof owners[nowners].name, "%s", name);
    return &owners[nowners++];
}

/* The login name of a uid, or its number. */
static const char *user_name(uid_t uid)
{
    static char buf[64];
    static uid_t last;
    static int have;
    if (have && last == uid)
        return buf;
    last = uid;
    have = 1;
    struct passwd *pw = getpwuid(uid);
    if (pw)
        snprintf(buf, sizeof buf, "%s", pw->pw_name);
    else
        snprintf(buf, sizeof buf, "%u", (unsigned)uid);
    return buf;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: owners DIR\n");
        return 2;
    }
    DIR *d = opendir(argv[1]);
    if (!d) {
        perror(argv[1]);
        return 1;
    }
    struct dirent *e;
    while ((e = readdir(d)) != NULL) {
        struct stat st;
        if (e->d_name[0] == '.')
            continue;
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
            perror(e->d_name);
            continue;
        }
        if (!S_ISREG(st.st_mode))
            continue;
        struct owner *o = find_owner(user_name(st.st_uid));
        o->files++;
        o->bytes += st.st_size;
    }
    closedir(d);
    for (int i = 0; i < nowners; i++)
        printf("%-12s %6ld files %10lld bytes\n", owners[i].name, owners[i].files, owners[i].bytes);
    return 0;
}

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

struct Account {
    char holder[16];
    int64_t pence;
    int64_t interest;
};

struct Head {
    char magic[8];
    uint32_t accounts;
    uint32_t quarter;
};

static void die(const char *what)
{
    perror(what);
    _exit(1);
}

static void store(const char *path, int fd, const std::vector<char> &bytes)
{
    struct stat st;
    const std::string next = std::string(path) + ".next";
    int out = open(next.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out < 0 || fstat(fd, &st) < 0 || fchmod(out, st.st_mode & 07777) < 0)
        die(next.c_str());
    if (write(out, bytes.data(), bytes.size()) != (ssize_t)bytes.size())
        die("write");
    if (fsync(out) < 0 || close(out) < 0 || rename(next.c_str(), path) < 0)
        die("fsync");
    int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 || fsync(dir) < 0)
        die(".");
    close(dir);
}

int main()
{
    const char *path = "savings.dat";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0)
        die(path);
    std::vector<char> bytes(st.st_size);
    if (pread(fd, bytes.data(), bytes.size(), 0) != st.st_size)
        die(path);

    Head head;
    memcpy(&head, bytes.data(), sizeof head);
    int64_t paid = 0, held = 0;
    for (uint32_t i = 0; i < head.accounts; i++) {
        char *at = bytes.data() + sizeof head + i * sizeof(Account);
        Account a;
        memcpy(&a, at, sizeof a);
        a.interest = a.pence * 3 / 400;
        a.pence += a.interest;
        paid += a.interest;
        held += a.pence;
        memcpy(at, &a, sizeof a);
    }
    head.quarter++;
    memcpy(bytes.data(), &head, sizeof head);
    store(path, fd, bytes);
    close(fd);
    printf("quarter %u: %u accounts, %lld pence of interest\n", head.quarter, head.accounts, (long long)paid);
    printf("%lld pence held\n", (long long)held);
}

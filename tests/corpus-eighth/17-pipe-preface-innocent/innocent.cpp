// Reads the preface of a table from a filter's pipe and lets sort have the rest.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t run(const char *file, const char *const argv[], int in, int out)
{
    pid_t child = fork();
    if (child == 0) {
        if (in >= 0)
            dup2(in, 0);
        if (out >= 0)
            dup2(out, 1);
        execvp(file, const_cast<char *const *>(argv));
        _exit(127);
    }
    return child;
}

static bool read_line(int fd, std::string &line)
{
    char c;
    line.clear();
    while (read(fd, &c, 1) == 1) {
        if (c == '\n')
            return true;
        line += c;
    }
    return false;
}

int main()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return 1;
    const char *const filter[] = {"sed", "s/crowns/marks/", "dues.txt", nullptr};
    pid_t first = run("sed", filter, -1, ends[1]);
    close(ends[1]);

    std::map<std::string, std::string> preface;
    std::string line;
    while (read_line(ends[0], line) && !line.empty()) {
        auto space = line.find(' ');
        preface[line.substr(0, space)] = line.substr(space + 1);
    }
    for (const auto &[key, value] : preface)
        std::cout << key << " = " << value << '\n';
    std::cout << std::flush;

    const char *const sorter[] = {"sort", "-k2,2nr", "-k1,1", "-o", "sorted.txt", nullptr};
    pid_t second = run("sort", sorter, ends[0], -1);
    close(ends[0]);
    int a = 0, b = 0;
    waitpid(first, &a, 0);
    waitpid(second, &b, 0);
    std::cout << (a == 0 && b == 0 ? "sorted" : "failed") << std::endl;
    return a || b;
}

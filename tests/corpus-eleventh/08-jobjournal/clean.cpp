// jobjournal: moves the events of a batch file into the shared journal.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

class Journal {
public:
    explicit Journal(const char *path)
        : fd_(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644)) {}
    ~Journal() {
        if (fd_ >= 0)
            close(fd_);
    }
    bool ok() const { return fd_ >= 0; }

    bool append(const std::vector<std::string> &lines) {
        std::string all;
        for (const auto &l : lines)
            all += l;
        if (flock(fd_, LOCK_EX) < 0)
            return false;
        bool done = put(all);
        flock(fd_, LOCK_UN);
        return done;
    }

private:
    bool put(const std::string &s) {
        const char *p = s.data();
        size_t left = s.size();
        while (left) {
            ssize_t n = write(fd_, p, left);
            if (n < 0) {
                if (errno == EINTR)
                    continue;
                return false;
            }
            p += n;
            left -= static_cast<size_t>(n);
        }
        return true;
    }

    int fd_;
};

int main(int argc, char **argv) {
    std::ifstream in(argc > 1 ? argv[1] : "batch.txt");
    Journal j("journal.log");
    if (!in || !j.ok()) {
        std::perror("jobjournal");
        return 1;
    }
    std::vector<std::string> lines;
    std::string line;
    long no = 0;
    while (std::getline(in, line))
        lines.push_back(std::to_string(++no) + " " + line + "\n");
    if (!j.append(lines)) {
        std::perror("journal.log");
        return 1;
    }
    std::cout << lines.size() << " events journalled\n";
}

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Lever {
    std::string name;
    int position = 0, metres = 0;
};

struct Line {
    pid_t pid = -1;
    int fd = -1;
    std::string heard;
};

// Starts the signalman of one lever; he speaks on the pipe whose number he is told.
static Line start(const Lever &l)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return {};
    const pid_t pid = fork();
    if (pid == 0) {
        fcntl(ends[1], F_SETFD, 0);
        const std::string script = "echo \"" + l.name + (l.position ? " clear" : " danger") + "\" >&$1";
        const std::string number = std::to_string(ends[1]);
        execlp("bash", "bash", "-c", script.c_str(), "cabin", number.c_str(), nullptr);
        _exit(127);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    return {pid, ends[0], ""};
}

// Takes what there is; false when the other end is closed.
static bool hear(Line &line)
{
    char buf[256];
    for (;;) {
        const ssize_t n = read(line.fd, buf, sizeof buf);
        if (n > 0)
            line.heard.append(buf, n);
        else
            return n < 0 && errno == EAGAIN;
    }
}

int main()
{
    std::vector<Lever> levers;
    if (std::ifstream in("levers.txt"); in)
        for (Lever l; in >> l.name >> l.position >> l.metres;)
            levers.push_back(l);
    std::vector<Line> lines;
    for (const Lever &l : levers)
        lines.push_back(start(l));
    std::size_t open = lines.size();
    while (open > 0) {
        std::vector<pollfd> wait;
        for (const Line &line : lines)
            wait.push_back({line.fd, POLLIN, 0});
        if (poll(wait.data(), wait.size(), 2000) <= 0)
            return 1;
        for (std::size_t i = 0; i < wait.size(); i++)
            if (wait[i].revents && !hear(lines[i])) {
                close(lines[i].fd);
                lines[i].fd = -1;
                open--;
            }
    }
    int clear = 0;
    for (Line &line : lines) {
        waitpid(line.pid, nullptr, 0);
        clear += line.heard.find("clear") != std::string::npos;
        std::cout << line.heard;
    }
    std::cout << lines.size() << " levers, " << clear << " clear\n";
}

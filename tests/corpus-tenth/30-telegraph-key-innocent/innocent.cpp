// A telegraph key sends its signs into a narrow line; the other end writes slowly.
#include <cerrno>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

static int receive(int line)
{
    char buf[512];
    long dots = 0, dashes = 0;
    ssize_t n;
    while ((n = read(line, buf, sizeof buf)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            dots += buf[i] == '.';
            dashes += buf[i] == '-';
        }
        usleep(800);
    }
    std::string text = std::to_string(dots) + " dots, " + std::to_string(dashes) + " dashes received\n";
    return write(1, text.data(), text.size()) == (ssize_t)text.size() && n == 0 ? 0 : 1;
}

static bool send(int line, const std::string &signs)
{
    size_t done = 0;
    while (done < signs.size()) {
        ssize_t n = write(line, signs.data() + done, signs.size() - done);
        if (n >= 0) {
            done += n;
        } else if (errno == EAGAIN) {
            pollfd p{line, POLLOUT, 0};
            if (poll(&p, 1, 2000) <= 0)
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

int main()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return 1;
    fcntl(ends[1], F_SETPIPE_SZ, 4096);
    pid_t pid = fork();
    if (pid < 0)
        return 1;
    if (pid == 0) {
        close(ends[1]);
        _exit(receive(ends[0]));
    }
    close(ends[0]);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);

    int sent = 0;
    for (int word = 0; word < 60; word++) {
        std::string signs;
        for (int i = 0; i < 700; i++)
            signs += (word * i) % 3 ? '.' : '-';
        if (!send(ends[1], signs))
            return 1;
        sent++;
    }
    close(ends[1]);
    int status = 0;
    waitpid(pid, &status, 0);
    std::cout << sent << " words sent, receiver " << (status == 0 ? "well" : "ill") << "\n";
    return 0;
}

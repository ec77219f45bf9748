// Counts the bars of each part of a mass; a second thread counts while the first one reads on.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

class Sheet {
public:
    explicit Sheet(const std::string &path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        if (fd_ < 0)
            throw std::runtime_error("cannot open " + path);
    }
    ~Sheet() { close(fd_); }

    std::string text() const
    {
        std::string all(4096, '\0');
        ssize_t n = pread(fd_, all.data(), all.size(), 0);
        if (n < 0)
            throw std::runtime_error("cannot read");
        all.resize(n);
        return all;
    }

private:
    int fd_;
};

static std::string without_rests(Sheet sheet)
{
    std::string out = sheet.text();
    std::erase(out, '-');
    return out;
}

int main()
{
    const std::array<std::string, 4> voices = {"soprano", "alto", "tenor", "bass"};
    const std::array<std::string, 5> pieces = {"kyrie", "gloria", "credo", "sanctus", "agnus"};
    std::mutex lock;
    std::condition_variable more;
    std::deque<std::string> queue;
    bool done = false;
    int bars = 0, sheets = 0;
    std::thread counter([&] {
        std::unique_lock held(lock);
        for (;;) {
            more.wait(held, [&] { return done || !queue.empty(); });
            if (queue.empty())
                return;
            for (char c : queue.front())
                bars += c == '\n';
            sheets++;
            queue.pop_front();
        }
    });
    for (const auto &voice : voices)
        for (const auto &piece : pieces) {
            Sheet sheet("parts/" + voice + "-" + piece + ".txt");
            std::string text = without_rests(sheet);
            std::lock_guard held(lock);
            queue.push_back(std::move(text));
            more.notify_one();
        }
    {
        std::lock_guard held(lock);
        done = true;
    }
    more.notify_one();
    counter.join();
    std::printf("%d sheets, %d bars\n", sheets, bars);
}

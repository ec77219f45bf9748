#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <sys/timerfd.h>
#include <unistd.h>
#include <vector>

class Metronome {
public:
    explicit Metronome(long nanoseconds) {
        fd_ = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
        itimerspec spec{};
        spec.it_value.tv_nsec = nanoseconds;
        spec.it_interval.tv_nsec = nanoseconds;
        timerfd_settime(fd_, 0, &spec, nullptr);
    }
    ~Metronome() { close(fd_); }

    // Waits for the next beat and says how many have passed since the last.
    uint64_t wait() {
        uint64_t beats = 0;
        if (read(fd_, &beats, sizeof beats) != sizeof beats) return 1;
        return beats;
    }

private:
    int fd_;
};

int main() {
    std::vector<std::string> tune;
    std::ifstream in("tune.txt");
    for (std::string note; std::getline(in, note);) tune.push_back(note);
    std::map<std::string, int> strokes;
    Metronome metronome(4'000'000);
    size_t played = 0;
    while (played < tune.size()) {
        // A late bell plays the missed beats at once.
        for (uint64_t due = metronome.wait(); due > 0 && played < tune.size(); due--)
            strokes[tune[played++]]++;
    }
    for (const auto &[bell, count] : strokes) printf("%s:%d ", bell.c_str(), count);
    printf("\n%zu notes played\n", played);
    return 0;
}

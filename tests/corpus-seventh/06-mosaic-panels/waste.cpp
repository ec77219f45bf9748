#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

constexpr int kStones = 512;
constexpr int kStone = 8;
constexpr int kPanel = kStones * kStone;

struct Panel {
    std::array<int, kStones> stones{};
    int brightest() const {
        int best = 0;
        for (int s : stones)
            if (s > best) best = s;
        return best;
    }
};

class Floor {
public:
    explicit Floor(const char *name) : fd_(open(name, O_RDONLY | O_CLOEXEC)) {
        if (fd_ < 0) {
            perror(name);
            exit(1);
        }
    }
    ~Floor() { close(fd_); }

    bool panel(int number, Panel &out) {
        char raw[kPanel];
        if (lseek(fd_, static_cast<off_t>(number) * kPanel, SEEK_SET) < 0) return false;
        ssize_t n = read(fd_, raw, sizeof raw);
        if (n != kPanel) return false;
        for (int i = 0; i < kStones; i++) {
            char one[kStone + 1] = {};
            for (int j = 0; j < kStone; j++) one[j] = raw[i * kStone + j];
            out.stones[i] = atoi(one);
        }
        return true;
    }

private:
    int fd_;
};

int main() {
    Floor floor("floor.panels");
    std::vector<int> bright;
    Panel p;
    for (int i = 0; i < 64; i++) {
        if (!floor.panel(i, p)) return 1;
        bright.push_back(p.brightest());
    }
    long sum = 0;
    for (int b : bright) sum += b;
    printf("%zu panels, brightest stones sum to %ld\n", bright.size(), sum);
    return 0;
}

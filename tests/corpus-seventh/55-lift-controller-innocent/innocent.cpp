#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

struct Bank {
    uint64_t generation;
    uint32_t floors[2044];
    uint64_t check;
};
static_assert(sizeof(Bank) == 8192);

uint64_t checksum(const Bank &b) {
    uint64_t h = 1469598103934665603ull ^ b.generation;
    for (uint32_t f : b.floors) h = (h ^ f) * 1099511628211ull;
    return h;
}

class Store {
public:
    Store() : fd_(open("bank.dat", O_RDWR | O_CLOEXEC)) {}
    ~Store() { if (fd_ >= 0) close(fd_); }

    // The newest of the two banks that is whole.
    bool load(Bank &best) const {
        Bank b;
        best = Bank{};
        for (int i = 0; i < 2; i++) {
            if (pread(fd_, &b, sizeof b, i * sizeof b) != sizeof b) return false;
            if (b.check == checksum(b) && b.generation > best.generation) best = b;
        }
        return true;
    }

    bool save(Bank &b) const {
        b.generation++;
        b.check = checksum(b);
        off_t where = (b.generation % 2) * sizeof b;
        return pwrite(fd_, &b, sizeof b, where) == sizeof b && fdatasync(fd_) == 0;
    }

private:
    int fd_;
};

int main() {
    Store store;
    Bank state;
    if (!store.load(state)) {
        std::puts("no bank");
        return 1;
    }
    int floor = 0, travelled = 0;
    for (int round = 0; round < 6; round++) {
        for (int call = 0; call < 2044; call++) {
            int next = (call * 5 + round * 3) % 12;
            travelled += next > floor ? next - floor : floor - next;
            floor = next;
            state.floors[call] += floor;
        }
        if (!store.save(state)) return 1;
    }
    std::printf("generation %d, %d floors travelled\n", (int)state.generation, travelled);
}

// Looks for echoes in the raw dump of an ultrasonic crystal tester. The dump may be far larger
// than the memory, so the page cache is left alone.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

class Dump {
public:
    static constexpr size_t block = 4096;

    explicit Dump(const char *path)
        : direct_(open(path, O_RDONLY | O_CLOEXEC | O_DIRECT)), plain_(open(path, O_RDONLY | O_CLOEXEC)),
          buffer_(block)
    {
        struct stat st;
        if (plain_ < 0 || fstat(plain_, &st) < 0)
            throw std::runtime_error("cannot open the dump");
        size_ = st.st_size;
    }
    ~Dump()
    {
        if (direct_ >= 0)
            close(direct_);
        close(plain_);
    }
    Dump(const Dump &) = delete;

    size_t blocks() const { return size_ / block; }

    const unsigned char *read(size_t i)
    {
        ssize_t n = pread(direct_, buffer_.data(), block, i * block);
        if (n < 0)
            n = pread(plain_, buffer_.data(), block, i * block);
        if (n != static_cast<ssize_t>(block))
            throw std::runtime_error("cannot read a block");
        return buffer_.data();
    }

private:
    int direct_, plain_;
    std::vector<unsigned char> buffer_;
    size_t size_ = 0;
};

int main()
{
    Dump dump("echoes.raw");
    unsigned strongest = 0, where = 0, echoes = 0;
    for (size_t i = 0; i < dump.blocks(); i++) {
        const unsigned char *samples = dump.read(i);
        unsigned energy = 0;
        for (size_t k = 1; k < Dump::block; k++)
            energy += samples[k] > samples[k - 1] ? samples[k] - samples[k - 1] : 0;
        if (energy > 6000)
            echoes++;
        if (energy > strongest) {
            strongest = energy;
            where = i;
        }
    }
    std::printf("%zu blocks, %u echoes, strongest %u in block %u\n", dump.blocks(), echoes, strongest, where);
}

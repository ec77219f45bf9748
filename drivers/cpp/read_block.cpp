// read-block: read one block of a file that stays open, or stays mapped.

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

namespace {

// The file ends before the block does.
[[noreturn]] void fail_short(const char* call) {
    throw Failure{call, ENODATA};
}

class StreamBlocks {
public:
    StreamBlocks(const std::string& path, std::size_t) : in_(path, std::ios::binary) {
        if (!in_) {
            fail("std::ifstream");
        }
    }

    void read(Buffers& buffers, std::uint64_t offset, Sink& out) {
        Buffer buffer = buffers.next();
        in_.seekg(static_cast<std::streamoff>(offset));
        in_.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        if (!in_) {
            const bool bad = in_.bad();
            in_.clear();
            bad ? fail("std::ifstream::read") : fail_short("std::ifstream::read");
        }
        out.take({buffer.data(), buffer.size()});
    }

private:
    std::ifstream in_;
};

class FileBlocks {
public:
    FileBlocks(const std::string& path, std::size_t) : file_(open_file(path, "rb")) {}

    void read(Buffers& buffers, std::uint64_t offset, Sink& out) {
        Buffer buffer = buffers.next();
        if (std::fseek(file_.get(), static_cast<long>(offset), SEEK_SET) != 0) {
            fail("fseek");
        }
        if (std::fread(buffer.data(), 1, buffer.size(), file_.get()) < buffer.size()) {
            const bool bad = std::ferror(file_.get()) != 0;
            std::clearerr(file_.get());
            bad ? fail("fread") : fail_short("fread");
        }
        out.take({buffer.data(), buffer.size()});
    }

private:
    File file_;
};

class DescriptorBlocks {
public:
    DescriptorBlocks(const std::string& path, std::size_t) : file_(path, O_RDONLY) {}

    void read(Buffers& buffers, std::uint64_t offset, Sink& out) {
        Buffer buffer = buffers.next();
        if (file_.pread(buffer.data(), buffer.size(), offset) < buffer.size()) {
            fail_short("pread");
        }
        out.take({buffer.data(), buffer.size()});
    }

protected:
    Descriptor file_;
};

class RandomDescriptorBlocks : public DescriptorBlocks {
public:
    RandomDescriptorBlocks(const std::string& path, std::size_t size) : DescriptorBlocks(path, size) {
        if (const int error = ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_RANDOM); error != 0) {
            throw Failure{"posix_fadvise", error};
        }
    }
};

class MappedBlocks {
public:
    MappedBlocks(const std::string& path, std::size_t size) : mapping_(map(path, size)) {}

    void read(Buffers& buffers, std::uint64_t offset, Sink& out) {
        out.take(mapping_.data().substr(offset, buffers.length()));
    }

private:
    static Mapping map(const std::string& path, std::size_t size) {
        const Descriptor file(path, O_RDONLY);
        // Pages past the end of the file would be a signal, not an error.
        if (file.size() < size) {
            fail_short("mmap");
        }
        return {file, size};
    }

protected:
    Mapping mapping_;
};

// Every byte is read: the buffer holds what a pread would have left there.
class CopiedBlocks : public MappedBlocks {
public:
    using MappedBlocks::MappedBlocks;

    void read(Buffers& buffers, std::uint64_t offset, Sink& out) {
        Buffer buffer = buffers.next();
        const std::string_view block = mapping_.data().substr(offset, buffer.size());
        std::memcpy(buffer.data(), block.data(), block.size());
        out.take({buffer.data(), block.size()});
    }
};

template <int advice>
class AdvisedBlocks : public MappedBlocks {
public:
    AdvisedBlocks(const std::string& path, std::size_t size) : MappedBlocks(path, size) { mapping_.advise(advice); }
};

template <class Blocks>
class BlockTask final : public Task {
public:
    explicit BlockTask(const Plan& plan) : plan_(plan), buffers_(plan.buffer_length(), plan.fresh) {}

    void perform(std::size_t which, std::uint64_t offset, Sink& out) override {
        files_[which].read(buffers_, offset, out);
    }

    void take_up() override {
        while (files_.size() < plan_.paths.size()) {
            const std::string& path = plan_.paths[files_.size()];
            try {
                files_.emplace_back(path, static_cast<std::size_t>(plan_.size));
            } catch (Failure& failure) {
                failure.path = path;
                throw;
            }
        }
    }

    void release() override { files_.clear(); }

private:
    const Plan& plan_;
    Buffers buffers_;
    std::vector<Blocks> files_;
};

}  // namespace

std::unique_ptr<Task> blocks_ifstream(const Plan& plan) { return make<BlockTask<StreamBlocks>>(plan); }
std::unique_ptr<Task> blocks_fread(const Plan& plan) { return make<BlockTask<FileBlocks>>(plan); }
std::unique_ptr<Task> blocks_pread(const Plan& plan) { return make<BlockTask<DescriptorBlocks>>(plan); }
std::unique_ptr<Task> blocks_mmap(const Plan& plan) { return make<BlockTask<MappedBlocks>>(plan); }

std::unique_ptr<Task> blocks_pread_random(const Plan& plan) {
    return make<BlockTask<RandomDescriptorBlocks>>(plan);
}

std::unique_ptr<Task> blocks_mmap_copy(const Plan& plan) { return make<BlockTask<CopiedBlocks>>(plan); }

std::unique_ptr<Task> blocks_mmap_random(const Plan& plan) {
    return make<BlockTask<AdvisedBlocks<MADV_RANDOM>>>(plan);
}

std::unique_ptr<Task> blocks_mmap_sequential(const Plan& plan) {
    return make<BlockTask<AdvisedBlocks<MADV_SEQUENTIAL>>>(plan);
}

}  // namespace driver

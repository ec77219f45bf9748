// copy: copy a file to a name that is not there.

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "operations.hpp"
#include "posix.hpp"
#include "workplace.hpp"

namespace driver {

namespace {

void copy_by_filesystem(const std::string& from, const std::string& to, Buffers&, bool) {
    std::error_code error;
    std::filesystem::copy_file(from, to, error);
    if (error) {
        throw Failure{"std::filesystem::copy_file", error.value()};
    }
}

void copy_by_rdbuf(const std::string& from, const std::string& to, Buffers&, bool) {
    std::ifstream in(from, std::ios::binary);
    if (!in) {
        fail("std::ifstream");
    }
    std::ofstream out(to, std::ios::binary);
    if (!out) {
        throw Failure{"std::ofstream", errno, to};
    }
    // An empty file is a failure to the stream that takes it, as an error is: at
    // the end of the file it is none.
    if (!(out << in.rdbuf()) && in.peek() != std::ifstream::traits_type::eof()) {
        throw Failure{"std::ofstream<<", errno, to};
    }
    if (in.bad()) {
        fail("std::ifstream::rdbuf");
    }
    out.clear();
    out.close();
    if (!out) {
        throw Failure{"std::ofstream::close", errno, to};
    }
}

void copy_by_read_write(const std::string& from, const std::string& to, Buffers& buffers, bool sync) {
    const Descriptor in(from, O_RDONLY);
    try {
        Descriptor out(to, O_CREAT | O_EXCL | O_WRONLY);
        Buffer buffer = buffers.next();
        std::size_t count;
        while ((count = in.read(buffer.data(), buffer.size())) > 0) {
            out.write({buffer.data(), count});
        }
        if (sync) {
            out.fsync();
        }
        out.close();
    } catch (Failure& failure) {
        failure.path = failure.call == "read" ? from : to;
        throw;
    }
}

template <void (*copy)(const std::string& from, const std::string& to, Buffers& buffers, bool sync), bool has_fsync>
class CopyTask final : public Task {
public:
    explicit CopyTask(const Plan& plan) : plan_(plan), buffers_(plan.buffer_length(), plan.fresh) {
        if (plan.sync == Sync::fsync && !has_fsync) {
            throw Unsupported("this way of copying gives no descriptor, and so no fsync of the copy");
        }
    }

    void begin_run(std::uint64_t, std::uint64_t count) override {
        Workplace& workplace = *plan_.workplace;
        workplace.clear();
        workplace.next();
        copies_ = workplace.paths('c', count);
        workplace.leave(copies_);
        next_ = 0;
        if (plan_.sync == Sync::syncfs) {
            directory_.emplace(workplace.current(), O_RDONLY | O_DIRECTORY);
        }
    }

    void perform(std::size_t which, std::uint64_t, Sink& out) override {
        copy(plan_.paths[which], copies_[next_++], buffers_, plan_.sync == Sync::fsync);
        out.take_written(static_cast<std::uint64_t>(plan_.size));
    }

    void finish(Sink&) override {
        if (directory_) {
            directory_->syncfs();
        }
    }

    void end_run() override { directory_.reset(); }

    void read_back(Sink& out) override {
        const Descriptor file(copies_[0], O_RDONLY);
        const Mapping mapping(file, file.size());
        out.take(mapping.data());
    }

private:
    const Plan& plan_;
    Buffers buffers_;
    std::vector<std::string> copies_;
    std::optional<Descriptor> directory_;
    // The copy that the next operation makes.
    std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Task> copy_filesystem(const Plan& plan) { return make<CopyTask<copy_by_filesystem, false>>(plan); }
std::unique_ptr<Task> copy_rdbuf(const Plan& plan) { return make<CopyTask<copy_by_rdbuf, false>>(plan); }
std::unique_ptr<Task> copy_read_write(const Plan& plan) { return make<CopyTask<copy_by_read_write, true>>(plan); }

}  // namespace driver

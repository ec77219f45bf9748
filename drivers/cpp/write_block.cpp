// write-block: write one block of a file that stays open.

#include <cerrno>
#include <fstream>
#include <optional>

#include "operations.hpp"
#include "pool.hpp"
#include "posix.hpp"
#include "workplace.hpp"

namespace driver {

namespace {

class DescriptorWriter {
public:
    static constexpr bool has_fsync = true;

    DescriptorWriter(const std::string& path, std::uint64_t) : file_(path, O_WRONLY) {}

    void write(std::uint64_t offset, std::string_view block) { file_.pwrite(block, offset); }
    void flush() {}
    void fsync() { file_.fsync(); }

private:
    Descriptor file_;
};

class StreamWriter {
public:
    static constexpr bool has_fsync = false;

    // With `in`, so that it does not truncate.
    StreamWriter(const std::string& path, std::uint64_t start)
        : out_(path, std::ios::binary | std::ios::in | std::ios::out), position_(start) {
        if (!out_ || !out_.seekp(static_cast<std::streamoff>(start))) {
            fail("std::ofstream");
        }
    }

    void write(std::uint64_t offset, std::string_view block) {
        if (offset != position_ && !out_.seekp(static_cast<std::streamoff>(offset))) {
            fail("std::ofstream::seekp");
        }
        if (!out_.write(block.data(), static_cast<std::streamsize>(block.size()))) {
            fail("std::ofstream::write");
        }
        position_ = offset + block.size();
    }

    void flush() {
        if (!out_.flush()) {
            fail("std::ofstream::flush");
        }
    }

    void fsync() {}

private:
    std::ofstream out_;
    std::uint64_t position_;
};

class FileWriter {
public:
    static constexpr bool has_fsync = true;

    FileWriter(const std::string& path, std::uint64_t start) : file_(open_file(path, "rb+")), position_(start) {
        if (std::fseek(file_.get(), static_cast<long>(start), SEEK_SET) != 0) {
            fail("fseek");
        }
    }

    void write(std::uint64_t offset, std::string_view block) {
        if (offset != position_ && std::fseek(file_.get(), static_cast<long>(offset), SEEK_SET) != 0) {
            fail("fseek");
        }
        if (std::fwrite(block.data(), 1, block.size(), file_.get()) < block.size()) {
            fail("fwrite");
        }
        position_ = offset + block.size();
    }

    void flush() {
        if (std::fflush(file_.get()) != 0) {
            fail("fflush");
        }
    }

    void fsync() {
        if (::fsync(::fileno(file_.get())) != 0) {
            fail("fsync");
        }
    }

private:
    File file_;
    std::uint64_t position_;
};

template <class Writer>
class WriteTask final : public Task {
public:
    explicit WriteTask(const Plan& plan) : plan_(plan), pool_(plan) {
        if (plan.sync == Sync::fsync && !Writer::has_fsync) {
            throw Unsupported("std::ofstream gives no descriptor, and so no fsync of its file");
        }
    }

    void begin_run(std::uint64_t first, std::uint64_t) override {
        make_file();
        // Who writes in sequence begins where the first block goes.
        const std::uint64_t start = plan_.sequential ? plan_.offset(first) : 0;
        named([&] { writer_.emplace(path_, start); });
        pool_.seek(first);
        if (plan_.sync == Sync::syncfs) {
            directory_.emplace(plan_.workplace->current(), O_RDONLY | O_DIRECTORY);
        }
    }

    void perform(std::size_t, std::uint64_t offset, Sink& out) override {
        const std::string_view block = pool_.next();
        named([&] { writer_->write(offset, block); });
        out.take(block);
    }

    // What a stream still holds is written while the clock runs.
    void finish(Sink&) override {
        named([&] {
            writer_->flush();
            if (plan_.sync == Sync::fsync) {
                writer_->fsync();
            } else if (plan_.sync == Sync::syncfs) {
                directory_->syncfs();
            }
        });
    }

    void end_run() override {
        writer_.reset();
        directory_.reset();
    }

    void read_back(Sink& out) override {
        std::string block(static_cast<std::size_t>(plan_.block), '\0');
        const Descriptor file(path_, O_RDONLY);
        block.resize(file.pread(block.data(), block.size(), plan_.offset(0)));
        out.take(block);
    }

private:
    // A failure is one of the file that is written.
    template <class Act>
    void named(const Act& act) {
        try {
            act();
        } catch (Failure& failure) {
            failure.path = path_;
            throw;
        }
    }

    void make_file() {
        Workplace& workplace = *plan_.workplace;
        workplace.clear();
        workplace.next();
        path_ = workplace.path("f");
        if (plan_.existing != Existing::data) {
            named([&] { Descriptor(path_, O_CREAT | O_WRONLY | O_EXCL); });
            workplace.leave({path_});
            return;
        }
        if (workplace.kept) {
            if (std::rename(workplace.kept->c_str(), path_.c_str()) != 0) {
                throw Failure{"rename", errno, *workplace.kept};
            }
        } else {
            named([&] { write_whole(); });
        }
        workplace.kept = path_;
    }

    void write_whole() {
        const Descriptor file(path_, O_CREAT | O_WRONLY | O_EXCL);
        for (auto left = static_cast<std::size_t>(plan_.size); left > 0;) {
            const std::string_view piece = pool_.all().substr(0, left);
            file.write(piece);
            left -= piece.size();
        }
        file.fsync();
    }

    const Plan& plan_;
    Pool pool_;
    std::string path_;
    std::optional<Writer> writer_;
    std::optional<Descriptor> directory_;
};

}  // namespace

std::unique_ptr<Task> write_pwrite(const Plan& plan) { return make<WriteTask<DescriptorWriter>>(plan); }
std::unique_ptr<Task> write_ofstream(const Plan& plan) { return make<WriteTask<StreamWriter>>(plan); }
std::unique_ptr<Task> write_fwrite(const Plan& plan) { return make<WriteTask<FileWriter>>(plan); }

}  // namespace driver

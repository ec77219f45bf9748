// create: make a file, write into it, close it.

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

#include "operations.hpp"
#include "pool.hpp"
#include "posix.hpp"
#include "workplace.hpp"

namespace driver {

namespace {

class StreamCreation {
public:
    static constexpr bool has_fsync = false;

    explicit StreamCreation(const std::string& path) : out_(path, std::ios::binary) {
        if (!out_) {
            fail("std::ofstream");
        }
    }

    void write(std::string_view data) {
        if (!out_.write(data.data(), static_cast<std::streamsize>(data.size()))) {
            fail("std::ofstream::write");
        }
    }

    void flush() {
        if (!out_.flush()) {
            fail("std::ofstream::flush");
        }
    }

    void fsync() {}

    void close() {
        out_.close();
        if (!out_) {
            fail("std::ofstream::close");
        }
    }

private:
    std::ofstream out_;
};

class FileCreation {
public:
    static constexpr bool has_fsync = true;

    explicit FileCreation(const std::string& path) : file_(open_file(path, "w")) {}

    void write(std::string_view data) {
        if (std::fwrite(data.data(), 1, data.size(), file_.get()) < data.size()) {
            fail("fwrite");
        }
    }

    void flush() {
        if (std::fflush(file_.get()) != 0) {
            fail("fflush");
        }
    }

    void fsync() {
        flush();
        if (::fsync(::fileno(file_.get())) != 0) {
            fail("fsync");
        }
    }

    void close() {
        if (std::fclose(file_.release()) != 0) {
            fail("fclose");
        }
    }

private:
    File file_;
};

class DescriptorCreation {
public:
    static constexpr bool has_fsync = true;

    explicit DescriptorCreation(const std::string& path) : file_(path, O_CREAT | O_WRONLY | O_TRUNC) {}

    void write(std::string_view data) { file_.write(data); }
    void flush() {}
    void fsync() { file_.fsync(); }
    void close() { file_.close(); }

private:
    Descriptor file_;
};

// Raises the limit on descriptors as far as it goes and tells it.
std::uint64_t descriptors_allowed() {
    struct rlimit limit {};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

// Some are the driver's own.
std::uint64_t descriptors_open() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::uint64_t>(std::distance(begin(all), end(all)));
}

template <class Creation>
class CreateTask final : public Task {
public:
    explicit CreateTask(const Plan& plan) : plan_(plan), content_(content_to_create(plan.write)) {
        if (plan.sync == Sync::fsync && !Creation::has_fsync) {
            throw Unsupported("std::ofstream gives no descriptor, and so no fsync of its file");
        }
    }

    void begin_run(std::uint64_t, std::uint64_t count) override {
        if (plan_.close != Close::each && count + descriptors_open() > descriptors_allowed()) {
            throw Unsupported("this process may not have " + std::to_string(count) + " files open");
        }
        Workplace& workplace = *plan_.workplace;
        const bool prepared = plan_.existing != Existing::fresh && workplace.take_prepared();
        if (!prepared) {
            workplace.next();
        }
        paths_ = workplace.paths('f', count);
        next_ = 0;
        if (!prepared) {
            fill_existing(workplace.current());
        }
        // Their memory is written to here, so that it is there when the clock runs.
        files_ = std::vector<std::optional<Creation>>(plan_.close == Close::each ? 0 : count);
        directory_.reset();
        if (plan_.sync == Sync::syncfs) {
            directory_.emplace(workplace.current(), O_RDONLY | O_DIRECTORY);
        }
    }

    void perform(std::size_t, std::uint64_t, Sink& out) override {
        at_next([&](const std::string& path) {
            if (plan_.close != Close::each) {
                Creation& file = files_[next_].emplace(path);
                if (!content_.empty()) {
                    file.write(content_);
                    file.flush();
                    out.take_written(content_.size());
                }
                return;
            }
            Creation file(path);
            if (!content_.empty()) {
                file.write(content_);
                out.take_written(content_.size());
            }
            if (plan_.sync == Sync::fsync) {
                file.fsync();
            }
            file.close();
        });
    }

    // The phases behind the one in which files are opened and written.
    void finish(Sink&) override {
        if (plan_.sync == Sync::fsync) {
            at_every([](Creation& file) { file.fsync(); });
        }
        if (plan_.close == Close::all) {
            at_every([](Creation& file) { file.close(); });
        }
        if (directory_) {
            directory_->syncfs();
        }
    }

    void end_run() override {
        files_.clear();
        directory_.reset();
    }

    void read_back(Sink& out) override {
        const Descriptor file(paths_[0], O_RDONLY);
        std::string data(file.size(), '\0');
        file.read(data.data(), data.size());
        out.take(data);
    }

private:
    // A failure is one of the file that is made, not of one that is read.
    template <class Act>
    void at_next(const Act& act) {
        try {
            act(paths_[next_]);
        } catch (Failure& failure) {
            failure.path = paths_[next_];
            throw;
        }
        ++next_;
    }

    template <class Act>
    void at_every(const Act& act) {
        next_ = 0;
        for (std::optional<Creation>& file : files_) {
            at_next([&](const std::string&) { act(*file); });
        }
    }

    void fill_existing(const std::string& directory) {
        if (plan_.existing == Existing::fresh) {
            return;
        }
        const std::string data = plan_.existing == Existing::data ? content_to_create(4096) : "";
        for (const std::string& path : paths_) {
            Descriptor(path, O_CREAT | O_WRONLY | O_EXCL).write(data);
        }
        if (!data.empty()) {
            Descriptor(directory, O_RDONLY | O_DIRECTORY).syncfs();
        }
    }

    const Plan& plan_;
    const std::string content_;
    std::vector<std::string> paths_;
    std::vector<std::optional<Creation>> files_;
    std::optional<Descriptor> directory_;
    // The file of the next operation.
    std::size_t next_ = 0;
};

}  // namespace

std::string content_to_create(std::uint64_t length) {
    std::string content;
    while (content.size() < length) {
        content += pattern_text;
    }
    content.resize(length);
    return content;
}

std::unique_ptr<Task> create_ofstream(const Plan& plan) { return make<CreateTask<StreamCreation>>(plan); }
std::unique_ptr<Task> create_fopen(const Plan& plan) { return make<CreateTask<FileCreation>>(plan); }
std::unique_ptr<Task> create_posix(const Plan& plan) { return make<CreateTask<DescriptorCreation>>(plan); }

}  // namespace driver

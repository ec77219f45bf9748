// null: the loop, the dispatch and the digest of a method, without its I/O.

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <limits>

#include "failure.hpp"
#include "operations.hpp"

namespace driver {

namespace {

// The first bytes of a file, at most `limit` of them.
std::string load(const std::string& path, std::uint64_t limit) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) {
        fail("std::ifstream");
    }
    const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(in.tellg(), 0));
    std::string data(std::min(size, limit), '\0');
    in.seekg(0);
    if (!in.read(data.data(), static_cast<std::streamsize>(data.size()))) {
        fail("std::ifstream::read");
    }
    return data;
}

// Keeps something of every file that is made once, before a clock starts. It is
// no hold on the files, and making it again would fill the cache that the
// caller wants empty: `release` leaves it.
template <class Kept>
class KeepingTask : public Task {
public:
    explicit KeepingTask(const Plan& plan) : plan_(plan) {}

    void take_up() final {
        while (kept_.size() < plan_.paths.size()) {
            const std::string& path = plan_.paths[kept_.size()];
            try {
                kept_.push_back(prepare(path));
            } catch (...) {
                Failure failure = current_failure("null");
                failure.path = path;
                throw failure;
            }
        }
    }

protected:
    virtual Kept prepare(const std::string& path) const = 0;

    const Plan& plan_;
    std::vector<Kept> kept_;
};

// For operations without data.
class NothingTask final : public Task {
public:
    explicit NothingTask(const Plan&) {}

    void perform(std::size_t, std::uint64_t, Sink&) override {}
};

// Delivers data that is in memory already.
class DataTask final : public KeepingTask<std::string> {
public:
    explicit DataTask(const Plan& plan)
        : KeepingTask(plan),
          length_(plan.operation == Operation::open_read_close || plan.operation == Operation::read_block
                      ? static_cast<std::size_t>(plan.block)
                      : std::string_view::npos) {}

    void perform(std::size_t which, std::uint64_t offset, Sink& out) override {
        out.take(std::string_view(kept_[which]).substr(offset, length_));
    }

private:
    std::string prepare(const std::string& path) const override {
        const bool start_only = plan_.operation == Operation::open_read_close;
        std::string data = load(path, start_only ? length_ : std::numeric_limits<std::uint64_t>::max());
        if (plan_.operation == Operation::read_block && data.size() < static_cast<std::size_t>(plan_.size)) {
            throw Failure{"null", ENODATA};
        }
        return plan_.operation == Operation::render ? render(std::move(data)) : data;
    }

    std::size_t length_;
};

// Delivers an answer that is known already.
class AnswerTask final : public KeepingTask<Sink> {
public:
    using KeepingTask::KeepingTask;

    void perform(std::size_t which, std::uint64_t, Sink& out) override { out.take_answer(kept_[which]); }

private:
    Sink prepare(const std::string& path) const override {
        const std::string data = load(path, std::numeric_limits<std::uint64_t>::max());
        Sink answer;
        answer.full = true;
        if (plan_.operation == Operation::lines) {
            take_lines(data, answer);
        } else {
            take_matches(data, answer);
        }
        return answer;
    }

    static void take_lines(std::string_view text, Sink& answer) {
        while (!text.empty()) {
            const std::size_t length = std::min(text.find('\n'), text.size());
            answer.take_line(text.substr(0, length));
            text.remove_prefix(std::min(length + 1, text.size()));
        }
    }

    void take_matches(std::string_view text, Sink& answer) const {
        std::uint64_t count = 0;
        for (std::size_t at = text.find(plan_.word); at != text.npos; at = text.find(plan_.word, at + 1)) {
            ++count;
        }
        answer.take_count(text.size(), count);
    }
};

// Counts what copies would hold, and delivers one when it is asked for.
class CopyNothingTask final : public KeepingTask<std::string> {
public:
    using KeepingTask::KeepingTask;

    void perform(std::size_t, std::uint64_t, Sink& out) override {
        out.take_written(static_cast<std::uint64_t>(plan_.size));
    }

    void read_back(Sink& out) override { out.take(kept_[0]); }

private:
    std::string prepare(const std::string& path) const override {
        return load(path, std::numeric_limits<std::uint64_t>::max());
    }
};

}  // namespace

std::unique_ptr<Task> make_null(const Plan& plan) {
    switch (plan.operation) {
        case Operation::open_read_close:
        case Operation::read_whole:
        case Operation::read_block:
        case Operation::render:
            return make<DataTask>(plan);
        case Operation::lines:
        case Operation::search:
            return make<AnswerTask>(plan);
        case Operation::create:
            return make_null_create(plan);
        case Operation::write_block:
            return make_null_write_block(plan);
        case Operation::copy:
            return make<CopyNothingTask>(plan);
        default:
            return make<NothingTask>(plan);
    }
}

}  // namespace driver

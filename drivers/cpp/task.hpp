// Tasks: a method bound to the files of a run, ready to be repeated.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "plan.hpp"
#include "sink.hpp"

namespace driver {

// Performs one method over and over. The loop calls `perform` once per
// operation with the number of the path and, for read-block, the offset.
class Task {
public:
    virtual ~Task() = default;

    virtual void perform(std::size_t which, std::uint64_t offset, Sink& out) = 0;

    // Makes ready for so many operations, the first of which has this number,
    // before their clock starts.
    virtual void begin_run(std::uint64_t, std::uint64_t) {}

    // Does what all of them leave to be done, while the clock runs.
    virtual void finish(Sink&) {}

    // Closes what was open during the run, also after a failure; the clock stands.
    virtual void end_run() {}

    // Delivers what the last run wrote, of one operation.
    virtual void read_back(Sink&) {}

    // Opens what is kept between operations, unless it is open.
    virtual void take_up() {}

    // Closes it.
    virtual void release() {}
};

using Maker = std::unique_ptr<Task> (*)(const Plan&);

// A method that opens a file and closes it.
template <void (*open)(const std::string& path)>
class OpenTask final : public Task {
public:
    explicit OpenTask(const Plan& plan) : paths_(plan.paths) {}

    void perform(std::size_t which, std::uint64_t, Sink&) override { open(paths_[which]); }

private:
    const std::vector<std::string>& paths_;
};

// A method that reads a file from its start.
template <void (*read)(const std::string& path, Buffers& buffers, Sink& out)>
class ReadTask final : public Task {
public:
    explicit ReadTask(const Plan& plan) : paths_(plan.paths), buffers_(plan.buffer_length(), plan.fresh) {}

    void perform(std::size_t which, std::uint64_t, Sink& out) override { read(paths_[which], buffers_, out); }

private:
    const std::vector<std::string>& paths_;
    Buffers buffers_;
};

// What a search needs.
struct Search {
    const std::string& word;
    unsigned threads;
    Buffers buffers;
};

// A method that counts a word.
template <void (*count)(const std::string& path, Search& search, Sink& out)>
class SearchTask final : public Task {
public:
    explicit SearchTask(const Plan& plan)
        : paths_(plan.paths),
          search_{plan.word, plan.threads, Buffers(plan.buffer_length(), plan.fresh, plan.threads)} {}

    void perform(std::size_t which, std::uint64_t, Sink& out) override { count(paths_[which], search_, out); }

private:
    const std::vector<std::string>& paths_;
    Search search_;
};

template <class AnyTask>
std::unique_ptr<Task> make(const Plan& plan) {
    return std::make_unique<AnyTask>(plan);
}

}  // namespace driver

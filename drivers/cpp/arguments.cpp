// The arguments of `run` and what they must satisfy.

#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "failure.hpp"
#include "methods.hpp"
#include "pool.hpp"
#include "workplace.hpp"

namespace driver {

namespace {

constexpr std::uint64_t unsigned_max = std::numeric_limits<std::uint64_t>::max();
// 62 bits, so that a number of bytes is also an offset and two can be added.
constexpr std::uint64_t bytes_max = unsigned_max >> 2;
constexpr std::uint64_t threads_max = 1024;
// What `create` writes is held in memory.
constexpr std::uint64_t write_max = std::uint64_t{1} << 30;

std::uint64_t number(std::string_view name, std::string_view text, std::uint64_t highest) {
    if (const auto value = parse_number(text, highest)) {
        return *value;
    }
    throw UsageError("invalid value \"" + std::string(text) + "\" for " + std::string(name));
}

// True when the word is the second one.
bool choice(std::string_view name, std::string_view word, std::string_view first, std::string_view second) {
    if (word != first && word != second) {
        throw UsageError(std::string(name) + " is neither " + std::string(first) + " nor " + std::string(second));
    }
    return word == second;
}

// The place of the word among the ones that there are.
template <class Choice, std::size_t count>
Choice choice(std::string_view name, std::string_view word, const std::string_view (&all)[count]) {
    const auto found = std::find(std::begin(all), std::end(all), word);
    if (found == std::end(all)) {
        throw UsageError(std::string(name) + " cannot be " + std::string(word));
    }
    return static_cast<Choice>(found - std::begin(all));
}

Operation operation_of(std::string_view word) {
    const auto found = std::find(operation_words.begin(), operation_words.end(), word);
    if (found == operation_words.end()) {
        throw UsageError("unknown operation " + std::string(word));
    }
    return static_cast<Operation>(found - operation_words.begin());
}

// What is read before its meaning is known.
struct Words {
    std::vector<std::string_view> operations;
    std::vector<std::string_view> methods;
};

// The arguments of operations that write; false when this is none of them.
bool set_writing(Plan& plan, std::string_view name, std::string_view value) {
    if (name == "--directory") {
        plan.directory = value;
    } else if (name == "--existing") {
        plan.existing = choice<Existing>(name, value, {"fresh", "empty", "data"});
    } else if (name == "--close") {
        plan.close = choice<Close>(name, value, {"each", "all", "none"});
    } else if (name == "--sync") {
        plan.sync = choice<Sync>(name, value, {"none", "fsync", "syncfs"});
    } else if (name == "--write") {
        plan.write = number(name, value, write_max);
    } else if (name == "--content") {
        plan.pattern = choice(name, value, "random", "pattern");
    } else {
        return false;
    }
    return true;
}

// The arguments that no operation of this driver heeds, which must make sense all the same.
bool set_unused(std::string_view name, std::string_view value) {
    if (name == "--algorithm") {
        choice(name, value, "md5", "xxh64");
    } else if (name == "--format") {
        choice<int>(name, value, {"json", "yaml", "toml"});
    } else if (name == "--queue-depth") {
        if (number(name, value, unsigned_max) != 1) {
            throw UsageError("no method of this driver has several reads in flight: --queue-depth must be 1");
        }
    } else {
        return false;
    }
    return true;
}

void set(Plan& plan, Words& words, std::string_view name, std::string_view value) {
    if (name == "--operation") {
        words.operations.push_back(value);
    } else if (name == "--method") {
        words.methods.push_back(value);
    } else if (name == "--path") {
        plan.paths.emplace_back(value);
    } else if (name == "--path-list") {
        std::ifstream list{std::string(value), std::ios::binary};
        for (std::string path; std::getline(list, path, '\0');) plan.paths.push_back(path);
        if (!list.eof()) throw UsageError("cannot read " + std::string(value));
    } else if (name == "--size") {
        plan.size = static_cast<std::int64_t>(number(name, value, bytes_max));
    } else if (name == "--block") {
        plan.block = static_cast<std::int64_t>(number(name, value, bytes_max));
    } else if (name == "--access") {
        plan.sequential = choice(name, value, "random", "sequential");
    } else if (name == "--alignment") {
        plan.unaligned = choice(name, value, "aligned", "unaligned");
    } else if (name == "--buffer" && value == "stack") {
        throw Unsupported("its buffers are of the heap, none on the stack");
    } else if (name == "--buffer") {
        plan.fresh = choice(name, value, "reused", "fresh");
    } else if (name == "--word") {
        plan.word = value;
    } else if (name == "--threads") {
        plan.threads = static_cast<unsigned>(number(name, value, threads_max));
    } else if (name == "--seed") {
        plan.seed = number(name, value, unsigned_max);
    } else if (name == "--latencies") {
        plan.latencies = value;
    } else if (!set_writing(plan, name, value) && !set_unused(name, value)) {
        throw UsageError("unknown argument " + std::string(name));
    }
}

void set_methods(Plan& plan, const Words& words) {
    if (words.operations.size() != 1) {
        throw UsageError(words.operations.empty() ? "--operation is missing" : "--operation is given twice");
    }
    plan.operation = operation_of(words.operations.front());
    if (words.methods.empty()) {
        throw UsageError("--method is missing");
    }
    for (const std::string_view name : words.methods) {
        const Method* method = find_method(name);
        if (method == nullptr) {
            throw UsageError("unknown method " + std::string(name));
        }
        if (method->maker(plan.operation) == nullptr) {
            throw UsageError("method " + std::string(name) + " cannot perform " +
                             std::string(words.operations.front()));
        }
        plan.methods.push_back(method);
    }
}

void check(const Plan& plan) {
    const bool takes_path = plan.operation != Operation::nothing && plan.operation != Operation::create &&
                            plan.operation != Operation::write_block;
    const bool takes_size = plan.operation == Operation::open_read_close || plan.operation == Operation::copy ||
                            plan.has_offsets();
    const bool shares = plan.operation == Operation::read_block || plan.operation == Operation::read_whole;
    if (takes_path && plan.paths.empty()) {
        throw UsageError("--path is missing");
    }
    if (plan.block < 1) {
        throw UsageError("--block must be at least 1");
    }
    if (takes_size && plan.size < 0) {
        throw UsageError("--size is missing");
    }
    if (plan.writes() && plan.directory.empty()) {
        throw UsageError("--directory is missing");
    }
    if (plan.operation == Operation::write_block && plan.block > static_cast<std::int64_t>(Pool::bytes)) {
        throw UsageError("--block must not be larger than the pool of 1 MiB that is written from");
    }
    if (plan.has_offsets() && plan.places() < 1) {
        throw UsageError("a file of this --size has no such block");
    }
    if (plan.word.empty() || plan.word.find('\n') != std::string::npos) {
        throw UsageError("--word must be a piece of one line");
    }
    if (plan.threads < 1) {
        throw UsageError("--threads must be at least 1");
    }
    if (shares && plan.threads > 1) {
        throw UsageError("no method of this driver divides this operation among threads: --threads must be 1");
    }
}

}  // namespace

Plan parse_arguments(const std::vector<std::string_view>& words) {
    Plan plan;
    Words given;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (*word == "--marks") {
            plan.marks = true;
            continue;
        }
        const auto value = word + 1;
        if (!word->starts_with("--")) {
            throw UsageError("unexpected argument " + std::string(*word));
        }
        if (value == words.end()) {
            throw UsageError("unknown argument, or one without its value: " + std::string(*word));
        }
        set(plan, given, *word, *value);
        word = value;
    }
    set_methods(plan, given);
    check(plan);
    if (plan.writes()) {
        plan.workplace = std::make_shared<Workplace>(plan.directory);
    }
    return plan;
}

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t highest) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || last != end || value > highest) {
        return std::nullopt;
    }
    return value;
}

}  // namespace driver

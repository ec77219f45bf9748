// The arguments of `run`. That the values fit each other is for Fathom to check, before it
// starts a driver.

#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

#include "failure.hpp"
#include "methods.hpp"
#include "workplace.hpp"

namespace driver {

namespace {

template <class Number>
void set_number(Number& target, std::string_view name, std::string_view text) {
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, target);
    if (error != std::errc() || last != end) {
        throw UsageError("invalid value \"" + std::string(text) + "\" for " + std::string(name));
    }
}

// What is read before its meaning is known.
struct Words {
    std::string_view operation;
    std::vector<std::string_view> methods;
};

void read_list(Plan& plan, std::string_view file) {
    std::ifstream list{std::string(file), std::ios::binary};
    for (std::string path; std::getline(list, path, '\0');) plan.paths.push_back(path);
    if (!list.eof()) throw UsageError("cannot read " + std::string(file));
}

void set(Plan& plan, Words& words, std::string_view name, std::string_view value) {
    if (name == "--operation") words.operation = value;
    else if (name == "--method") words.methods.push_back(value);
    else if (name == "--path") plan.paths.emplace_back(value);
    else if (name == "--path-list") read_list(plan, value);
    else if (name == "--size") set_number(plan.size, name, value);
    else if (name == "--block") set_number(plan.block, name, value);
    else if (name == "--access") plan.sequential = value == "sequential";
    else if (name == "--alignment") plan.unaligned = value == "unaligned";
    else if (name == "--buffer" && value == "stack") throw Unsupported("its buffers are of the heap, none on the stack");
    else if (name == "--buffer") plan.fresh = value == "fresh";
    else if (name == "--word") plan.word = value;
    else if (name == "--threads") set_number(plan.threads, name, value);
    else if (name == "--queue-depth" && value != "1") throw Unsupported("no method of this driver has several reads in flight");
    else if (name == "--seed") set_number(plan.seed, name, value);
    else if (name == "--latencies") plan.latencies = value;
    else if (name == "--directory") plan.directory = value;
    else if (name == "--existing") plan.existing = value == "fresh" ? Existing::fresh : value == "empty" ? Existing::empty : Existing::data;
    else if (name == "--close") plan.close = value == "each" ? Close::each : value == "all" ? Close::all : Close::none;
    else if (name == "--sync") plan.sync = value == "none" ? Sync::none : value == "fsync" ? Sync::fsync : Sync::syncfs;
    else if (name == "--write") set_number(plan.write, name, value);
    else if (name == "--content") plan.pattern = value == "pattern";
    else if (name != "--algorithm" && name != "--format" && name != "--queue-depth") throw UsageError("unknown argument " + std::string(name));
}

void set_methods(Plan& plan, const Words& words) {
    const auto operation = std::find(operation_words.begin(), operation_words.end(), words.operation);
    if (operation == operation_words.end()) {
        throw UsageError("unknown operation \"" + std::string(words.operation) + '"');
    }
    plan.operation = static_cast<Operation>(operation - operation_words.begin());
    if (words.methods.empty()) {
        throw UsageError("--method is missing");
    }
    for (const std::string_view name : words.methods) {
        const Method* method = find_method(name);
        if (method == nullptr || method->maker(plan.operation) == nullptr) {
            throw UsageError("no method \"" + std::string(name) + "\" that performs " + std::string(words.operation));
        }
        plan.methods.push_back(method);
    }
}

void check(const Plan& plan) {
    const bool takes_path = !plan.writes() && plan.operation != Operation::nothing;
    if ((takes_path || plan.operation == Operation::copy) && plan.paths.empty()) {
        throw UsageError("--path is missing");
    }
    if (plan.writes() && plan.directory.empty()) {
        throw UsageError("--directory is missing");
    }
    if (plan.has_offsets() && (plan.block < 1 || plan.places() < 1)) {
        throw UsageError("a file of this --size has no such block");
    }
    const bool shares = plan.operation == Operation::read_block || plan.operation == Operation::read_whole;
    if (shares && plan.threads > 1) {
        throw Unsupported("no method of this driver divides this operation among threads");
    }
}

}  // namespace

Plan parse_arguments(const std::vector<std::string_view>& words) {
    Plan plan;
    Words given;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (*word == "--marks") {
            plan.marks = true;
        } else if (word + 1 == words.end()) {
            throw UsageError("unknown argument, or one without its value: " + std::string(*word));
        } else {
            set(plan, given, word[0], word[1]);
            ++word;
        }
    }
    set_methods(plan, given);
    check(plan);
    if (plan.writes()) {
        plan.workplace = std::make_shared<Workplace>(plan.directory);
    }
    return plan;
}

}  // namespace driver

// What `fathom driver check` cannot ask of every driver: this one's edges and refusals, in its own process. This file's ending keeps it out of the
// driver: g++ -std=c++20 -pthread -o driver_test driver_test.cc $(ls *.cpp | grep -v main.cpp)
// and run it in this folder.

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "methods.hpp"
#include "program.hpp"

namespace {

using driver::Operation;
using Lines = std::vector<std::string>;

int failures = 0;

void expect(bool held, const std::string& what) {
    if (!held) {
        ++failures;
        std::cerr << "FAILED: " << what << '\n';
    }
}

// A folder that goes when the tests end.
struct Folder {
    std::filesystem::path path;

    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "fathom-cpp-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no temporary folder");
        }
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }

};

struct Ran {
    int code;
    Lines answers;
    std::string message;
};

Ran run(const Lines& arguments, const Lines& lines) {
    std::stringstream in;
    std::stringstream out;
    std::stringstream messages;
    for (const std::string& line : lines) {
        in << line << '\n';
    }
    Ran ran{driver::drive({arguments.begin(), arguments.end()}, in, out, messages), {}, {}};
    for (std::string line; std::getline(out, line);) {
        ran.answers.push_back(line);
    }
    ran.message = messages.str();
    return ran;
}

std::string word(Operation operation) {
    return std::string(driver::operation_words[static_cast<std::size_t>(operation)]);
}

Lines arguments(Operation operation, std::string_view method, std::size_t size, std::size_t block,
                const Lines& paths, const Lines& more = {}) {
    Lines all = {"run",    "--operation",        word(operation), "--method",           std::string(method),
                 "--size", std::to_string(size), "--block",       std::to_string(block)};
    for (const std::string& path : paths) {
        all.insert(all.end(), {"--path", path});
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

void more_operations_than_memory_are_an_error() {
    const Ran huge = run(arguments(Operation::read_block, "null", 1, 1, {"driver.toml"}),
                         {"batch 4611686018427387903", "batch 1"});
    expect(huge.answers[1] == "error op=batch errno=12 path=" && huge.answers.size() == 3, huge.answers[1]);
}

void wrong_arguments_exit_with_2() {
    const Lines all[] = {
        {"run", "--operation", "null", "--method", "null", "--seed", "0x1"},
        {"run", "--operation", "null", "--method", "null", "--latencies", "/no such folder/file"},
        {"run", "--operation", "open-close", "--method", "open"},
        {"run", "--operation", "read-block", "--method", "mmap", "--path", "x", "--size", "9", "--block", "10"},
        {"run", "--operation", "read-block", "--method", "mmap", "--path", "x", "--size", "9", "--block", "0"},
        {"run", "--operation", "create", "--method", "open+O_CREAT"},
    };
    for (const Lines& words : all) {
        const Ran ran = run(words, {});
        expect(ran.code == 2 && ran.answers.empty() && ran.message.starts_with("error: "),
               "exit code 2 for " + words.back());
    }
}

void what_no_method_can_do_exits_with_77() {
    const Lines all[] = {
        {"run", "--operation", "read-whole", "--method", "mmap", "--path", "x", "--queue-depth", "2"},
        {"run", "--operation", "read-whole", "--method", "mmap", "--path", "x", "--threads", "2"},
        {"run", "--operation", "read-whole", "--method", "mmap", "--path", "x", "--buffer", "stack"},
    };
    for (const Lines& words : all) {
        const Ran ran = run(words, {});
        expect(ran.code == 77 && ran.answers.empty() && ran.message.starts_with("not supported: "),
               "exit code 77 for " + words[words.size() - 2]);
    }
}

void too_many_open_files_are_not_supported() {
    const Folder folder;
    for (const std::string close : {"all", "none"}) {
        const Ran ran = run(arguments(Operation::create, "open+O_CREAT", 0, 1, {},
                                      {"--directory", folder.path.string(), "--close", close}),
                            {"batch 1000000000000"});
        expect(ran.code == 77, "exit code 77 for more files than may be open");
    }
    expect(std::filesystem::is_empty(folder.path), "no file of too many");
}

}  // namespace

int main() {
    more_operations_than_memory_are_an_error();
    wrong_arguments_exit_with_2();
    what_no_method_can_do_exits_with_77();
    too_many_open_files_are_not_supported();
    std::cout << (failures == 0 ? "all held\n" : "some FAILED\n");
    return failures == 0 ? 0 : 1;
}

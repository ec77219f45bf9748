// What `fathom driver check` cannot ask of every driver: this one's edges and refusals, in its own process. This file's ending keeps it out of the
// driver: g++ -std=c++20 -pthread -o driver_test driver_test.cc $(ls *.cpp | grep -v main.cpp)
// and run it in this folder.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "crc32.hpp"
#include "methods.hpp"
#include "plan.hpp"
#include "program.hpp"
#include "sink.hpp"

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

    std::string write(const std::string& name, const std::string& data) const {
        std::ofstream(path / name, std::ios::binary) << data;
        return (path / name).string();
    }
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

// Text with lines of many lengths, empty ones and occurrences of ERROR; no page is like another.
std::string sample(std::size_t size, std::uint64_t seed) {
    std::string text;
    for (std::uint64_t i = seed << 32; text.size() < size; ++i) {
        const std::uint64_t random = driver::splitmix64(i);
        text += random % 5 == 0 ? "ERROR" : std::to_string(random);
        text += random % 7 < 2 ? "\n" : "";
        text += random % 63 == 0 ? "\n\n" : "";
    }
    text.resize(size);
    return text;
}

struct Answer {
    std::uint64_t bytes = 0;
    std::uint64_t digest = 0;
    std::string further = {};
    std::string verified = {};
};

// By the words of PROTOCOL.md, one byte after the other.
Answer answer_of(Operation operation, const std::string& data, std::size_t block, std::uint64_t k,
                 const std::string& sought) {
    Answer answer;
    std::uint64_t count = 0;
    switch (operation) {
        case Operation::lines:
            for (std::size_t i = 0; i < data.size(); ++i) {
                const bool first = i == 0 || data[i - 1] == '\n';
                count += data[i] == '\n' || i + 1 == data.size() ? 1 : 0;
                answer.bytes += data[i] != '\n' ? 1 : 0;
                answer.digest += first && data[i] != '\n' ? static_cast<unsigned char>(data[i]) : 0;
            }
            answer.further = " lines=" + std::to_string(count);
            answer.verified = data.empty() || data.back() == '\n' ? data : data + '\n';
            return answer;
        case Operation::search:
            for (std::size_t i = 0; i < data.size(); ++i) {
                count += data.compare(i, sought.size(), sought) == 0 ? 1 : 0;
            }
            return {data.size(), count, " matches=" + std::to_string(count), std::to_string(count)};
        case Operation::read_whole:
            answer.verified = data;
            break;
        default:
            break;
    }
    answer.bytes = answer.verified.size();
    for (std::size_t i = 0; i < answer.verified.size(); i += 4096) {
        answer.digest += static_cast<unsigned char>(answer.verified[i]);
    }
    return answer;
}

void check_delivery(const Folder& folder, Operation operation, std::string_view method, const Lines& files,
                    std::size_t block, const Lines& more = {}, const std::string& sought = "ERROR") {
    Lines paths;
    for (const std::string& file : files) {
        paths.push_back(folder.write("data" + std::to_string(paths.size()), file));
    }
    const Lines words = arguments(operation, method, files[0].size(), block, paths, more);
    const Ran ran = run(words, {"verify", "batch 2 preroll=1", "release", "blocks 0:1:0 0:1:1", "verify method=0"});
    const Lines& got = ran.answers;
    const std::string what = std::string(method) + ' ' + word(operation) + " size " +
                             std::to_string(files[0].size()) + " block " + std::to_string(block);
    if (got.size() != 8 || got[0] != "ready" || got[3] != "released" || got[6] != "end") {
        expect(false, what + ": " + (got.empty() ? ran.message : got.back()));
        return;
    }
    const auto done = [&](const std::string& line, const std::vector<std::uint64_t>& numbers) {
        Answer sum;
        for (const std::uint64_t k : numbers) {
            const Answer one = answer_of(operation, files[k % files.size()], block, k, sought);
            sum.bytes += one.bytes;
            sum.digest += one.digest;
            // Lines and matches are looked at where one operation is timed.
            sum.further = numbers.size() == 1 ? one.further : "";
        }
        const std::string wanted =
            " bytes=" + std::to_string(sum.bytes) + " digest=" + std::to_string(sum.digest) + sum.further;
        const std::size_t at = line.find(wanted);
        const bool ends = at != std::string::npos &&
                          (at + wanted.size() == line.size() || line[at + wanted.size()] == ' ');
        expect(ends, what + ": " + line + " lacks" + wanted);
    };
    // Operation k reads file k modulo their number; the pre-roll counts, verify does not.
    done(got[2], {1, 2});
    done(got[4], {3});
    done(got[5], {5});
    const Answer first = answer_of(operation, files[0], block, 0, sought);
    driver::Crc32 crc;
    crc.update(first.verified);
    std::ostringstream wanted;
    wanted << "verified bytes=" << first.bytes << " crc32=" << std::hex;
    wanted.fill('0');
    wanted.width(8);
    wanted << crc.value();
    expect(got[1] == wanted.str() && got[7] == got[1], what + ": " + got[1] + " is not " + wanted.str());
}

template <class Each>
void for_each_method_of(Operation operation, const Each& each) {
    for (const driver::Method& method : driver::methods) {
        if (method.maker(operation) != nullptr) {
            each(method.name);
        }
    }
}

void lines_may_be_long_or_empty_and_the_last_may_lack_its_newline() {
    const Folder folder;
    for_each_method_of(Operation::lines, [&](std::string_view method) {
        for (const std::string& text : {std::string("\n"), std::string("\n\na"), std::string("a\nb\n"),
                                        std::string(70000, 'x') + "\ny", std::string(8192, 'x') + "\n\n"}) {
            check_delivery(folder, Operation::lines, method, {text}, 1);
            check_delivery(folder, Operation::lines, method, {text}, 8191);
            check_delivery(folder, Operation::lines, method, {text}, 65536);
        }
    });
}

void a_search_finds_the_same_for_any_number_of_threads() {
    const Folder folder;
    const Lines texts = {sample(20001, 3), std::string("ERRORERRORERRERROR"), std::string(9000, 'E') + "RROR",
                         std::string("ERR\nOR"), std::string()};
    for_each_method_of(Operation::search, [&](std::string_view method) {
        for (const std::string& text : texts) {
            for (const std::string sought : {"ERROR", "R", "EE"}) {
                for (const std::string threads : {"1", "2", "3", "16"}) {
                    const Lines more = {"--threads", threads, "--word", sought};
                    check_delivery(folder, Operation::search, method, {text}, 7, more, sought);
                    check_delivery(folder, Operation::search, method, {text}, 4096, more, sought);
                }
            }
        }
    });
}

void a_short_file_is_an_error() {
    const Folder folder;
    const std::string path = folder.write("short", std::string(5000, 'x'));
    for_each_method_of(Operation::read_block, [&](std::string_view method) {
        const Ran ran = run(arguments(Operation::read_block, method, 20480, 4096, {path}, {"--access", "sequential"}),
                            {"batch 2", "batch 1"});
        expect(ran.answers[1].ends_with(" errno=ENODATA path=" + path), ran.answers[1]);
    });
}

void more_operations_than_memory_are_an_error() {
    const Ran huge = run(arguments(Operation::read_block, "null", 1, 1, {"driver.toml"}),
                         {"batch 4611686018427387903", "batch 1"});
    expect(huge.answers[1] == "error op=batch errno=ENOMEM path=" && huge.answers.size() == 3, huge.answers[1]);
}

void wrong_arguments_exit_with_2() {
    const Lines all[] = {
        {},
        {"measure"},
        {"run"},
        {"run", "--operation", "null"},
        {"run", "--method", "null"},
        {"run", "--operation", "null", "--method", "nil"},
        {"run", "--operation", "hash", "--method", "null"},
        {"run", "--operation", "null", "--method", "open"},
        {"run", "--operation", "null", "--method", "null", "--quick"},
        {"run", "--operation", "null", "--method", "null", "more"},
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
               "exit code 2 for " + (words.empty() ? std::string("nothing") : words.back()));
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

void the_digest_does_not_depend_on_the_pieces() {
    driver::Crc32 crc;
    crc.update("123456789");
    expect(crc.value() == 0xCBF43926, "the published check value of CRC-32");
    const std::string data = sample(20000, 4);
    for (const std::size_t piece : {1, 7, 4095, 4096, 4097, 20000}) {
        driver::Sink sink;
        for (std::size_t i = 0; i < data.size(); i += piece) {
            sink.take(std::string_view(data).substr(i, piece));
        }
        const Answer wanted = answer_of(Operation::read_whole, data, 1, 0, "");
        expect(sink.bytes == data.size() && sink.digest == wanted.digest, "pieces of " + std::to_string(piece));
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
    lines_may_be_long_or_empty_and_the_last_may_lack_its_newline();
    a_search_finds_the_same_for_any_number_of_threads();
    a_short_file_is_an_error();
    more_operations_than_memory_are_an_error();
    wrong_arguments_exit_with_2();
    what_no_method_can_do_exits_with_77();
    the_digest_does_not_depend_on_the_pieces();
    too_many_open_files_are_not_supported();
    std::cout << (failures == 0 ? "all held\n" : "some FAILED\n");
    return failures == 0 ? 0 : 1;
}

// Tests of the driver, in its own process. Its ending keeps it out of the
// driver: g++ -std=c++20 -pthread -o driver_test driver_test.cc $(ls *.cpp | grep -v main.cpp)
// and run it in this folder.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
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
        case Operation::open_read_close:
            answer.verified = data.substr(0, block);
            break;
        case Operation::read_whole:
            answer.verified = data;
            break;
        case Operation::read_block:
            answer.verified = data.substr(driver::splitmix64(1 + k) % (data.size() / block) * block, block);
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

// Of the operations that look at a file that is there.
template <class Each>
void for_each_method(const Each& each) {
    for (const Operation operation :
         {Operation::open_close, Operation::open_write_close, Operation::open_read_close, Operation::read_whole,
          Operation::read_block, Operation::lines, Operation::search}) {
        for_each_method_of(operation, [&](std::string_view method) { each(method, operation); });
    }
}

void every_method_delivers_the_file() {
    const Folder folder;
    for_each_method([&](std::string_view method, Operation operation) {
        for (const std::size_t size : {0, 1, 999, 4096, 4097, 20001}) {
            for (const std::size_t block : {1, 1000, 4096, 65536}) {
                const bool empty = operation == Operation::open_write_close;
                if (operation != Operation::read_block || block <= size) {
                    const Lines files = {sample(empty ? 0 : size, 1), sample(empty ? 0 : size, 2)};
                    check_delivery(folder, operation, method, files, block);
                    check_delivery(folder, operation, method, files, block, {"--buffer", "fresh"});
                }
            }
        }
    });
}

void lines_may_be_long_or_empty_and_the_last_may_lack_its_newline() {
    const Folder folder;
    for_each_method([&](std::string_view method, Operation operation) {
        if (operation == Operation::lines) {
            for (const std::string& text : {std::string("\n"), std::string("\n\na"), std::string("a\nb\n"),
                                            std::string(70000, 'x') + "\ny", std::string(8192, 'x') + "\n\n"}) {
                check_delivery(folder, operation, method, {text}, 1);
                check_delivery(folder, operation, method, {text}, 8191);
                check_delivery(folder, operation, method, {text}, 65536);
            }
        }
    });
}

void a_search_finds_the_same_for_any_number_of_threads() {
    const Folder folder;
    const Lines texts = {sample(20001, 3), std::string("ERRORERRORERRERROR"), std::string(9000, 'E') + "RROR",
                         std::string("ERR\nOR"), std::string()};
    for_each_method([&](std::string_view method, Operation operation) {
        if (operation == Operation::search) {
            for (const std::string& text : texts) {
                for (const std::string sought : {"ERROR", "R", "EE"}) {
                    for (const std::string threads : {"1", "2", "3", "16"}) {
                        const Lines more = {"--threads", threads, "--word", sought};
                        check_delivery(folder, operation, method, {text}, 7, more, sought);
                        check_delivery(folder, operation, method, {text}, 4096, more, sought);
                    }
                }
            }
        }
    });
}

void a_missing_file_is_an_error_of_the_batch() {
    const Folder folder;
    const std::string missing = (folder.path / "no such file").string();
    const std::string other = folder.write("other", "x");
    for_each_method([&](std::string_view method, Operation operation) {
        if (method == "null" || method == "std::ofstream") {
            return;
        }
        const Ran ran = run(arguments(operation, method, 8192, 4096, {missing, other}),
                            {"batch 1", "blocks 0:0:0 0:2:0 0:1:0", "verify", "release"});
        const std::string what = std::string(method) + ' ' + word(operation) + ": ";
        for (const std::string& answer : ran.answers) {
            const bool known = answer == "ready" || answer == "released" || answer.starts_with("done ops=") ||
                               (answer.starts_with("error op=") &&
                                (answer.ends_with(" errno=ENOENT path=" + missing) ||
                                 answer.ends_with(" errno=ENODATA path=" + other)));
            expect(known, what + answer);
        }
        expect(ran.code == 0 && ran.answers.size() >= 5 && ran.answers.size() <= 6 &&
                   ran.answers[1].starts_with("error") && ran.answers.back() == "released",
               what + "goes on");
    });
}

void a_short_file_is_an_error() {
    const Folder folder;
    const std::string path = folder.write("short", std::string(5000, 'x'));
    for_each_method([&](std::string_view method, Operation operation) {
        if (operation == Operation::read_block) {
            const Ran ran = run(arguments(operation, method, 20480, 4096, {path}, {"--access", "sequential"}),
                                {"batch 2", "batch 1"});
            expect(ran.answers[1].ends_with(" errno=ENODATA path=" + path), ran.answers[1]);
        }
    });
}

// How many of this process's descriptors and mappings are of the file.
std::size_t holds(const std::string& path) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        count += std::filesystem::read_symlink(entry, gone) == path ? 1 : 0;
    }
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        count += line.ends_with(path) ? 1 : 0;
    }
    return count;
}

void release_closes_and_unmaps() {
    const Folder folder;
    const std::string path = folder.write("data", std::string(8192, 'x'));
    driver::Plan plan;
    plan.operation = Operation::read_block;
    plan.paths = {path};
    plan.size = 8192;
    plan.block = 4096;
    for (const driver::Method& method : driver::methods) {
        if (const driver::Maker maker = method.maker(plan.operation)) {
            const auto task = maker(plan);
            const std::size_t wanted = method.name == "null" ? 0 : 1;
            for (int round = 0; round < 2; ++round) {
                task->take_up();
                task->take_up();
                expect(holds(path) == wanted, std::string(method.name) + " holds the file");
                task->release();
                expect(holds(path) == 0, std::string(method.name) + " lets the file go");
            }
        }
    }
}

void nonsense_is_answered_with_the_line() {
    const Lines lines = {"",          "batch",      "batch x",          "batch -1",           "batch +1",
                         "batch 1 2", "batch 1 a=", "batch 1 method=1", "batch 1 preroll=",   "blocks",
                         "blocks 0",  "blocks 0:1", "blocks 1:1:0",     "blocks 0:1:0 x:1:0", "verify 0",
                         "verify method=1",         "release now",      "Batch 1",            "quit now"};
    const Ran ran = run({"run", "--operation", "null", "--method", "null"}, lines);
    expect(ran.answers.size() == lines.size() + 1, "an answer for every line");
    for (std::size_t i = 0; i < std::min(lines.size(), ran.answers.size() - 1); ++i) {
        expect(ran.answers[i + 1] == "error op=protocol errno=EINVAL path=" + lines[i], lines[i]);
    }
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
        {"run", "--operation", "null", "--operation", "null", "--method", "null"},
        {"run", "--operation", "null", "--method", "open"},
        {"run", "--operation", "null", "--method", "null", "--quick"},
        {"run", "--operation", "null", "--method", "null", "--quick", "1"},
        {"run", "--operation", "null", "--method", "null", "more"},
        {"run", "--operation", "null", "--method", "null", "--seed", "0x1"},
        {"run", "--operation", "null", "--method", "null", "--access", "backward"},
        {"run", "--operation", "null", "--method", "null", "--latencies", "/no such folder/file"},
        {"run", "--operation", "open-close", "--method", "open"},
        {"run", "--operation", "open-read-close", "--method", "mmap", "--path", "x"},
        {"run", "--operation", "search", "--method", "null", "--path", "x", "--word", ""},
        {"run", "--operation", "search", "--method", "null", "--path", "x", "--threads", "0"},
        {"run", "--operation", "read-block", "--method", "mmap", "--path", "x", "--size", "9", "--block", "10"},
        {"run", "--operation", "read-block", "--method", "mmap", "--path", "x", "--size", "9", "--block", "0"},
        {"run", "--operation", "read-block", "--method", "mmap", "--path", "x", "--size", "9", "--block", "1", "--threads", "2"},
        {"run", "--operation", "read-whole", "--method", "mmap", "--path", "x", "--queue-depth", "2"},
        {"run", "--operation", "create", "--method", "open+O_CREAT"},
        {"run", "--operation", "create", "--method", "open+O_CREAT", "--directory", "x", "--close", "some"},
        {"run", "--operation", "create", "--method", "open+O_CREAT", "--directory", "x", "--sync", "some"},
        {"run", "--operation", "copy", "--method", "null", "--directory", "x", "--path", "x"},
        {"run", "--operation", "write-block", "--method", "null", "--directory", "x", "--size", "9", "--block", "10"},
        {"run", "--operation", "write-block", "--method", "null", "--directory", "x", "--size", "9000000", "--block", "1048577"},
    };
    for (const Lines& words : all) {
        const Ran ran = run(words, {});
        expect(ran.code == 2 && ran.answers.empty() && ran.message.starts_with("error: "),
               "exit code 2 for " + (words.empty() ? std::string("nothing") : words.back()));
    }
}

void latencies_of_each_batch_are_appended() {
    const Folder folder;
    const std::string path = folder.write("data", "x");
    const std::string file = (folder.path / "latencies").string();
    const Ran ran = run(arguments(Operation::read_whole, "open+read", 1, 1, {path}, {"--latencies", file}),
                        {"batch 5 preroll=2", "blocks 0:4:0", "batch 3"});
    expect(ran.code == 0 && ran.answers.size() == 5, "latencies");
    expect(std::filesystem::file_size(file) == 8 * 8, "eight latencies");
}

void offsets_follow_the_protocol() {
    // Published output of SplitMix64 for the seed 1234567, one step per number.
    const std::uint64_t step = 0x9E3779B97F4A7C15;
    expect(driver::splitmix64(1234567) == 6457827717110365317U, "splitmix64, first");
    expect(driver::splitmix64(1234567 + step) == 3203168211198807973U, "splitmix64, second");
    driver::Plan plan;
    plan.operation = Operation::read_block;
    plan.size = 950;
    plan.block = 100;
    plan.seed = 7;
    expect(plan.offset(5) == driver::splitmix64(12) % 9 * 100, "aligned, random");
    plan.unaligned = true;
    expect(plan.offset(5) == driver::splitmix64(12) % 851, "unaligned, random");
    plan.sequential = true;
    expect(plan.offset(8) == 801 && plan.offset(9) == 1, "unaligned, sequential");
    // The last unaligned block must not pass the end: 900 bytes hold 8 of them.
    plan.size = 900;
    expect(plan.offset(8) == 1, "unaligned, sequential, the last place");
    plan.unaligned = false;
    expect(plan.offset(8) == 800 && plan.offset(9) == 0, "aligned, sequential");
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

void describe_lists_what_driver_toml_lists() {
    const Ran ran = run({"describe"}, {});
    std::ifstream toml("driver.toml");
    std::string described;
    for (const driver::Method& method : driver::methods) {
        described += "\n[[methods]]\nname = \"" + std::string(method.name) + "\"\noperations = [";
        const char* separator = "";
        for (std::size_t i = 0; i < driver::operation_words.size(); ++i) {
            if (method.maker(static_cast<Operation>(i)) != nullptr) {
                described += separator + ('"' + std::string(driver::operation_words[i])) + '"';
                separator = ", ";
            }
        }
        described += "]\ndoes = \"" + std::string(method.does) + "\"\n";
        const std::string text = std::string(method.name) + std::string(method.does);
        expect(text.find_first_of("\"\\") == std::string::npos, text + " needs no escaping");
    }
    const std::string text{std::istreambuf_iterator<char>(toml), {}};
    expect(ran.code == 0 && text.ends_with(described), "driver.toml lists what describe lists");
}

std::string repeated_pattern(std::size_t length) {
    std::string text;
    while (text.size() < length) {
        text += "fathom pattern.\n";
    }
    return text.substr(0, length);
}

// The files below a folder by their paths in it.
std::map<std::string, std::string> files_below(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            std::ifstream in(entry.path(), std::ios::binary);
            files[entry.path().lexically_relative(folder).string()] = std::string(std::istreambuf_iterator<char>(in), {});
        }
    }
    return files;
}

std::string verified(const std::string& data) {
    driver::Crc32 crc;
    crc.update(data);
    std::ostringstream line;
    line << "verified bytes=" << data.size() << " crc32=" << std::hex;
    line.fill('0');
    line.width(8);
    line << crc.value();
    return line.str();
}

// Runs a pre-roll of two, a batch of three and verify in a new directory, which it then lists.
std::map<std::string, std::string> check_writing(Operation operation, std::string_view method, const Lines& paths,
                                                 std::size_t size, const Lines& more, const std::string& figures,
                                                 const std::string& data) {
    const Folder folder;
    Lines words = arguments(operation, method, size, 4096, paths, {"--directory", folder.path.string()});
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words, {"batch 3 preroll=2", "verify"});
    const std::string what = std::string(method) + ' ' + word(operation) + ' ' + (more.empty() ? "" : more.back());
    if (ran.code == 77 && ran.answers.empty()) {
        expect(method.starts_with("std::") && more.back() == "fsync", what + ": " + ran.message);
        return {};
    }
    expect(ran.answers.size() == 3 && ran.answers[1].find(figures + ' ') != std::string::npos,
           what + ": " + ran.answers.back() + " lacks " + figures);
    expect(ran.answers.back() == verified(data), what + ": " + ran.answers.back());
    return files_below(folder.path);
}

void created_files_stay_in_a_directory_for_each_batch() {
    for_each_method_of(Operation::create, [](std::string_view method) {
        for (const std::size_t length : {0, 5, 100000}) {
            for (const std::string close : {"each", "all", "none"}) {
                for (const std::string existing : {"fresh", "empty", "data"}) {
                    for (const std::string sync : {"none", "fsync", "syncfs"}) {
                        if ((length != 5 && (existing != "fresh" || sync != "none")) ||
                            (existing != "fresh" && sync != "none")) {
                            continue;
                        }
                        const std::string data = repeated_pattern(length);
                        const auto files = check_writing(
                            Operation::create, method, {}, 0,
                            {"--write", std::to_string(length), "--close", close, "--existing", existing, "--sync", sync},
                            " bytes=" + std::to_string(3 * length) + " digest=0", data);
                        const std::map<std::string, std::string> wanted = {
                            {"0/f0", data}, {"0/f1", data}, {"1/f0", data}, {"1/f1", data}, {"1/f2", data}, {"2/f0", data}};
                        const bool none = method == "null" || (sync == "fsync" && method == "std::ofstream");
                        expect(none ? files.empty() : files == wanted, std::string(method) + " creates, close " + close);
                    }
                }
            }
        }
    });
}

void too_many_open_files_are_not_supported() {
    const Folder folder;
    for (const std::string close : {"all", "none"}) {
        const Ran ran = run(arguments(Operation::create, "open+O_CREAT", 0, 1, {},
                                      {"--directory", folder.path.string(), "--close", close}),
                            {"batch 1000000000000"});
        expect(ran.code == 77, "exit code 77 for more files than may be open");
    }
    expect(files_below(folder.path).empty(), "no file of too many");
}

void written_blocks_stand_where_they_would_be_read() {
    std::string pool;
    for (std::uint64_t i = 0; i < 1 << 17; ++i) {
        const std::uint64_t random = driver::splitmix64(1 + i);
        for (int shift = 0; shift < 64; shift += 8) {
            pool.push_back(static_cast<char>(random >> shift));
        }
    }
    constexpr std::size_t size = 81920;
    for_each_method_of(Operation::write_block, [&](std::string_view method) {
        for (const std::string content : {"random", "pattern"}) {
            for (const std::string existing : {"fresh", "data"}) {
                for (const std::string access : {"random", "sequential"}) {
                    std::uint64_t digest = 0;
                    const std::string& source = content == "random" ? pool : repeated_pattern(1 << 20);
                    for (std::size_t k = 2; k < 5; ++k) {
                        digest += static_cast<unsigned char>(source[4096 * k]);
                    }
                    const std::string block = source.substr(0, 4096);
                    const auto files = check_writing(
                        Operation::write_block, method, {}, size,
                        {"--content", content, "--existing", existing, "--access", access},
                        " bytes=12288 digest=" + std::to_string(digest), block);
                    const std::string what = std::string(method) + " writes " + content + ' ' + existing;
                    if (method == "null") {
                        expect(files.empty(), what + ": no file");
                        continue;
                    }
                    // Only the last run's file is left, and it holds block 0.
                    const std::size_t at = access == "sequential" ? 0 : driver::splitmix64(1) % (size / 4096) * 4096;
                    expect(files.size() == 1 && files.contains("2/f") && files.at("2/f").substr(at, 4096) == block &&
                               (existing == "fresh" || files.at("2/f").size() == size),
                           what);
                }
            }
        }
    });
}

void copies_of_the_batch_before_are_removed() {
    const Folder folder;
    for (const std::size_t size : {0, 1, 20001}) {
        const Lines texts = {sample(size, 5), sample(size, 6)};
        const Lines paths = {folder.write("from0", texts[0]), folder.write("from1", texts[1])};
        for_each_method_of(Operation::copy, [&](std::string_view method) {
            for (const std::string sync : {"none", "fsync", "syncfs"}) {
                const auto files = check_writing(Operation::copy, method, paths, size, {"--sync", sync},
                                                 " bytes=" + std::to_string(3 * size) + " digest=0", texts[0]);
                const bool none = method == "null" || (sync == "fsync" && method.starts_with("std::"));
                const std::map<std::string, std::string> wanted = {{"2/c0", texts[0]}};
                expect(none ? files.empty() : files == wanted, std::string(method) + " copies");
            }
            const Folder other;
            const Ran ran = run(arguments(Operation::copy, method, 1, 1, {(folder.path / "none").string()},
                                          {"--directory", other.path.string()}),
                                {"batch 1"});
            expect(ran.answers[1].ends_with("errno=ENOENT path=" + (folder.path / "none").string()), ran.answers[1]);
        });
    }
}

void a_file_that_is_there_is_the_error_of_open_missing() {
    const Folder folder;
    const std::string there = folder.write("there", "x");
    for_each_method_of(Operation::open_missing, [&](std::string_view method) {
        const std::string missing = (folder.path / "missing").string();
        const Ran right = run(arguments(Operation::open_missing, method, 0, 1, {missing}), {"batch 2", "verify"});
        expect(right.answers[1].find(" bytes=0 digest=0 ") != std::string::npos, right.answers[1]);
        expect(right.answers[2] == verified(""), right.answers[2]);
        if (method != "null") {
            for (const auto& [path, name] : {std::pair(there, "EEXIST"), std::pair(there + "/x", "ENOTDIR")}) {
                const Ran wrong = run(arguments(Operation::open_missing, method, 0, 1, {path}), {"batch 2"});
                expect(wrong.answers[1].ends_with(std::string(" errno=") + name + " path=" + path), wrong.answers[1]);
            }
        }
    });
}

void the_page_is_that_of_the_template() {
    std::ifstream in("../page.template", std::ios::binary);
    std::string page{std::istreambuf_iterator<char>(in), {}};
    expect(!page.empty(), "page.template");
    for (const auto& [from, to] : {std::pair("{{.Name}}", "fathom"), std::pair("{{.Number}}", "42")}) {
        for (std::size_t at = page.find(from); at != page.npos; at = page.find(from)) {
            page.replace(at, std::string(from).size(), to);
        }
    }
    for_each_method_of(Operation::render, [&](std::string_view method) {
        const Ran ran = run(arguments(Operation::render, method, 0, 1, {"../page.template"}), {"batch 2", "verify"});
        expect(ran.answers[1].find(" bytes=" + std::to_string(2 * page.size()) + " digest=" + std::to_string(2 * '<') +
                                   ' ') != std::string::npos,
               ran.answers[1]);
        expect(ran.answers[2] == verified(page), std::string(method) + " renders " + ran.answers[2]);
    });
}

}  // namespace

int main() {
    every_method_delivers_the_file();
    lines_may_be_long_or_empty_and_the_last_may_lack_its_newline();
    a_search_finds_the_same_for_any_number_of_threads();
    a_missing_file_is_an_error_of_the_batch();
    a_short_file_is_an_error();
    release_closes_and_unmaps();
    nonsense_is_answered_with_the_line();
    wrong_arguments_exit_with_2();
    latencies_of_each_batch_are_appended();
    offsets_follow_the_protocol();
    the_digest_does_not_depend_on_the_pieces();
    describe_lists_what_driver_toml_lists();
    created_files_stay_in_a_directory_for_each_batch();
    too_many_open_files_are_not_supported();
    written_blocks_stand_where_they_would_be_read();
    copies_of_the_batch_before_are_removed();
    a_file_that_is_there_is_the_error_of_open_missing();
    the_page_is_that_of_the_template();
    std::cout << (failures == 0 ? "all held\n" : "some FAILED\n");
    return failures == 0 ? 0 : 1;
}

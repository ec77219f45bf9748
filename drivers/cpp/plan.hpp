// What the arguments of `run` ask for.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

struct Method;
class Workplace;

// One logical file action; what it means stands in PROTOCOL.md.
enum class Operation {
    nothing,
    open_close,
    open_write_close,
    open_read_close,
    read_whole,
    read_block,
    lines,
    search,
    open_missing,
    create,
    write_block,
    copy,
    render,
};

// The protocol's words, in the order of the enumeration.
inline constexpr std::array<std::string_view, 13> operation_words = {
    "null",         "open-close", "open-write-close", "open-read-close", "read-whole", "read-block", "lines", "search",
    "open-missing", "create",     "write-block",      "copy",            "template",
};

// What stands where a file is written.
enum class Existing { fresh, empty, data };

// When `create` closes its files.
enum class Close { each, all, none };

// How what is written is made to last.
enum class Sync { none, fsync, syncfs };

struct Plan {
    Operation operation = Operation::nothing;
    std::vector<const Method*> methods;
    std::vector<std::string> paths;
    std::int64_t size = 0;
    std::int64_t block = 65536;
    bool sequential = false;
    bool unaligned = false;
    bool fresh = false;
    std::string word = "ERROR";
    unsigned threads = 1;
    std::uint64_t seed = 1;
    bool marks = false;
    std::string latencies;
    std::string directory;
    Existing existing = Existing::fresh;
    Close close = Close::each;
    Sync sync = Sync::none;
    // Bytes that `create` writes into each file.
    std::uint64_t write = 0;
    // `write-block` writes a repeated text, not random bytes.
    bool pattern = false;
    // Where the methods make files; null where the operation makes none.
    std::shared_ptr<Workplace> workplace;

    // Whether the operation makes files.
    bool writes() const;

    // Whether operations have offsets.
    bool has_offsets() const;

    // How many blocks of the asked kind a file has to choose from.
    std::uint64_t places() const;

    // Where operation number k of `read-block` starts reading, and of `write-block` writing.
    std::uint64_t offset(std::uint64_t k) const;

    // Bytes of the buffer that methods with a caller's buffer get.
    std::size_t buffer_length() const;
};

// The protocol's generator.
std::uint64_t splitmix64(std::uint64_t x);

}  // namespace driver

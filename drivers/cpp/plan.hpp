// What the arguments of `run` ask for.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

struct Method;

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
};

// The protocol's words, in the order of the enumeration.
inline constexpr std::array<std::string_view, 8> operation_words = {
    "null", "open-close", "open-write-close", "open-read-close", "read-whole", "read-block", "lines", "search",
};

struct Plan {
    Operation operation = Operation::nothing;
    std::vector<const Method*> methods;
    std::vector<std::string> paths;
    // Negative when it was not given.
    std::int64_t size = -1;
    std::int64_t block = 65536;
    bool sequential = false;
    bool unaligned = false;
    bool fresh = false;
    std::string word = "ERROR";
    unsigned threads = 1;
    std::uint64_t seed = 1;
    bool marks = false;
    std::string latencies;

    // How many blocks of the asked kind a file has to choose from.
    std::uint64_t places() const;

    // Where operation number k of `read-block` starts reading.
    std::uint64_t offset(std::uint64_t k) const;

    // Bytes of the buffer that methods with a caller's buffer get.
    std::size_t buffer_length() const;
};

// The protocol's generator.
std::uint64_t splitmix64(std::uint64_t x);

}  // namespace driver

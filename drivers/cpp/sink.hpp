// Where methods deliver what they read: the digest that proves the data was
// there, and for `verify` the CRC of all of it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crc32.hpp"

namespace driver {

struct Sink {
    std::uint64_t bytes = 0;
    std::uint64_t digest = 0;
    std::uint64_t lines = 0;
    std::uint64_t matches = 0;
    // Bytes of the operation in progress, or of the line in progress.
    std::uint64_t position = 0;
    bool full = false;
    Crc32 crc = {};

    // Starts another operation.
    void begin() { position = 0; }

    // Accepts the next piece of the operation's data.
    void take(std::string_view data) {
        constexpr std::size_t stride = 4096;
        // One byte per page, counted from the operation's first byte, whatever the pieces.
        for (std::size_t i = -position & (stride - 1); i < data.size(); i += stride) {
            digest += static_cast<unsigned char>(data[i]);
        }
        position += data.size();
        bytes += data.size();
        check(data);
    }

    // Accepts a whole line, without its newline.
    void take_line(std::string_view line) {
        take_line_piece(line);
        end_line();
    }

    // Accepts the next piece of a line.
    void take_line_piece(std::string_view piece) {
        if (position == 0 && !piece.empty()) {
            digest += static_cast<unsigned char>(piece.front());
        }
        position += piece.size();
        bytes += piece.size();
        check(piece);
    }

    void end_line() {
        ++lines;
        position = 0;
        check("\n");
    }

    // Counts what was written and is not looked at.
    void take_written(std::uint64_t length) { bytes += length; }

    // Accepts the result of a search through so many bytes.
    void take_count(std::uint64_t searched, std::uint64_t count) {
        bytes += searched;
        digest += count;
        matches += count;
        if (full) {
            crc.update(std::to_string(count));
        }
    }

    // Accepts what another sink took in one operation.
    void take_answer(const Sink& answer) {
        bytes += answer.bytes;
        digest += answer.digest;
        lines += answer.lines;
        matches += answer.matches;
        if (full) {
            crc = answer.crc;
        }
    }

private:
    void check(std::string_view data) {
        if (full) {
            crc.update(data);
        }
    }
};

}  // namespace driver

// CRC-32 (IEEE, as in zlib), for `verify`.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace driver {

constexpr std::array<std::uint32_t, 256> make_crc32_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t entry = i;
        for (int bit = 0; bit < 8; ++bit) {
            entry = (entry >> 1) ^ ((entry & 1) != 0 ? 0xEDB88320U : 0U);
        }
        table[i] = entry;
    }
    return table;
}

inline constexpr std::array<std::uint32_t, 256> crc32_table = make_crc32_table();

class Crc32 {
public:
    void update(std::string_view data) {
        for (const char byte : data) {
            state_ = crc32_table[(state_ ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (state_ >> 8);
        }
    }

    std::uint32_t value() const { return ~state_; }

private:
    std::uint32_t state_ = 0xFFFFFFFF;
};

}  // namespace driver

// The bytes that `write-block` writes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "plan.hpp"

namespace driver {

// The text that files are filled with, repeated.
inline constexpr std::string_view pattern_text = "fathom pattern.\n";

class Pool {
public:
    static constexpr std::size_t bytes = 1 << 20;

    explicit Pool(const Plan& plan)
        : length_(static_cast<std::size_t>(plan.block)), blocks_(bytes / length_), data_(bytes, '\0') {
        for (std::size_t i = 0; i < bytes; ++i) {
            data_[i] = plan.pattern ? pattern_text[i % pattern_text.size()]
                                    : static_cast<char>(splitmix64(plan.seed + i / 8) >> i % 8 * 8);
        }
    }

    std::string_view all() const { return data_; }

    // Makes operation number k the next one.
    void seek(std::uint64_t k) { next_ = k % blocks_; }

    // What the next operation writes.
    std::string_view next() {
        const std::string_view block(data_.data() + next_ * length_, length_);
        if (++next_ == blocks_) {
            next_ = 0;
        }
        return block;
    }

private:
    std::size_t length_;
    std::size_t blocks_;
    std::string data_;
    std::size_t next_ = 0;
};

}  // namespace driver

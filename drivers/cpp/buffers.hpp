// The memory that methods with a caller's buffer read into.

#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace driver {

// The buffer of one operation.
class Buffer {
public:
    Buffer(char* start, std::size_t length) : start_(start), length_(length) {}

    Buffer(std::unique_ptr<char[]> own, std::size_t length)
        : own_(std::move(own)), start_(own_.get()), length_(length) {}

    char* data() { return start_; }
    std::size_t size() const { return length_; }

private:
    std::unique_ptr<char[]> own_;
    char* start_;
    std::size_t length_;
};

// Gives each operation its buffer: always the same one, or a new one. Threads
// that work at the same time have one each.
class Buffers {
public:
    Buffers(std::size_t length, bool fresh, unsigned threads = 1) : length_(length) {
        for (unsigned i = 0; !fresh && i < threads; ++i) {
            reused_.push_back(page_aligned(length));
        }
    }

    Buffer next(unsigned thread = 0) {
        if (reused_.empty()) {
            return {std::make_unique_for_overwrite<char[]>(length_), length_};
        }
        return {reused_[thread].get(), length_};
    }

    std::size_t length() const { return length_; }

private:
    struct Free {
        void operator()(char* memory) const { std::free(memory); }
    };
    using Memory = std::unique_ptr<char, Free>;

    static Memory page_aligned(std::size_t length) {
        constexpr std::size_t page = 4096;
        const std::size_t pages = length / page + 1;
        Memory memory(static_cast<char*>(std::aligned_alloc(page, pages * page)));
        if (memory == nullptr) {
            throw std::bad_alloc();
        }
        // Not zero: zeroing new memory may become calloc, which touches nothing.
        std::memset(memory.get(), 0xFA, pages * page);
        return memory;
    }

    std::size_t length_;
    std::vector<Memory> reused_;
};

}  // namespace driver

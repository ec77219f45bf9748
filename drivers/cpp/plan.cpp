// What follows from the arguments alone: offsets and the buffer's length.

#include "plan.hpp"

#include <algorithm>

namespace driver {

std::uint64_t splitmix64(std::uint64_t x) {
    std::uint64_t z = x + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

bool Plan::writes() const {
    return operation == Operation::create || operation == Operation::write_block || operation == Operation::copy;
}

bool Plan::has_offsets() const {
    return operation == Operation::read_block || operation == Operation::write_block;
}

std::uint64_t Plan::places() const {
    if (size < block) {
        return 0;
    }
    if (unaligned) {
        return sequential ? (size - 1) / block : size - block + 1;
    }
    return size / block;
}

std::uint64_t Plan::offset(std::uint64_t k) const {
    const std::uint64_t place = (sequential ? k : splitmix64(seed + k)) % places();
    if (unaligned && !sequential) {
        return place;
    }
    return place * block + (unaligned ? 1 : 0);
}

std::size_t Plan::buffer_length() const {
    switch (operation) {
        case Operation::open_read_close:
            return std::min(block, size);
        case Operation::lines:
            // Room for the null that ends what fgets reads.
            return block + 1;
        case Operation::search:
            // Room before the block for the end of the one before it.
            return word.size() - 1 + block;
        default:
            return block;
    }
}

}  // namespace driver

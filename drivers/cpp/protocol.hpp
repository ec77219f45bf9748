// The lines on standard input: their grammar. What they cause stands in session.cpp.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "batch.hpp"

namespace driver {

// What a line asks for; `batch` and `verify` have one order, of which `verify` takes the method.
struct Request {
    enum Kind { batch, blocks, verify, release, quit } kind = quit;
    std::vector<Order> orders = {};
};

// Nothing for a line that makes no sense to a run of so many methods.
std::optional<Request> parse_line(std::string_view line, std::size_t methods);

}  // namespace driver

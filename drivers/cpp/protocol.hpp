// The lines on standard input: their grammar. What they cause stands in session.cpp.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "batch.hpp"

namespace driver {

struct BatchRequest {
    Order order;
};

struct BlocksRequest {
    std::vector<Order> schedule;
};

struct VerifyRequest {
    std::size_t method = 0;
};

struct ReleaseRequest {};

struct QuitRequest {};

using Request = std::variant<BatchRequest, BlocksRequest, VerifyRequest, ReleaseRequest, QuitRequest>;

// Nothing for a line that makes no sense to a run of so many methods.
std::optional<Request> parse_line(std::string_view line, std::size_t methods);

}  // namespace driver

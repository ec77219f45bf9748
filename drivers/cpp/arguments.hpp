// The arguments of `run`.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "plan.hpp"

namespace driver {

// Reads the words after `run`; throws UsageError. Nothing is opened here.
Plan parse_arguments(const std::vector<std::string_view>& words);

// A decimal number of at most `highest`, without sign or spaces.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t highest);

}  // namespace driver

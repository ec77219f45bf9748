// The arguments of `run`.

#pragma once

#include <string_view>
#include <vector>

#include "plan.hpp"

namespace driver {

// Reads the words after `run`; throws UsageError. Nothing is opened here.
Plan parse_arguments(const std::vector<std::string_view>& words);

}  // namespace driver

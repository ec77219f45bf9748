// The whole program, with its streams as arguments.

#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

namespace driver {

// Obeys the command line; returns the exit code.
int drive(const std::vector<std::string_view>& words, std::istream& in, std::ostream& out, std::ostream& messages);

}  // namespace driver

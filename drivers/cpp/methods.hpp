// The methods, as `describe` lists them and `run` finds them.

#pragma once

#include <string_view>
#include <vector>

#include "plan.hpp"
#include "task.hpp"

namespace driver {

// One way to perform operations, with a maker for each that it can perform.
struct Method {
    std::string_view name;
    // What it does in words; empty where driver.toml has them.
    std::string_view does = {};
    // Why it cannot be performed here; null where it can.
    const char* unavailable = nullptr;
    Maker nothing = nullptr;
    Maker open_close = nullptr;
    Maker open_write_close = nullptr;
    Maker open_read_close = nullptr;
    Maker read_whole = nullptr;
    Maker read_block = nullptr;
    Maker lines = nullptr;
    Maker search = nullptr;
    Maker open_missing = nullptr;
    Maker create = nullptr;
    Maker write_block = nullptr;
    Maker copy = nullptr;
    Maker render = nullptr;

    // Null when it cannot perform the operation.
    Maker maker(Operation operation) const;
};

// All of them, in the order of driver.toml.
extern const std::vector<Method> methods;

// Null when there is none of this name.
const Method* find_method(std::string_view name);

}  // namespace driver

// Failures: what is thrown, and what the caller is told.

#pragma once

#include <exception>
#include <iosfwd>
#include <stdexcept>
#include <string>

namespace driver {

// An operation failed. The path may be left empty: it is that of the operation.
struct Failure {
    std::string call;
    int number = 0;
    std::string path = {};
};

// The arguments are wrong: exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// This machine cannot perform a method: exit code 77.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws the failure of a call that set errno.
[[noreturn]] void fail(const char* call);

// What the exception being handled says. Exceptions of the library's own name
// no call: then it is the given one.
Failure current_failure(const std::string& call);

// The answer for a failed operation.
std::ostream& operator<<(std::ostream& out, const Failure& failure);

}  // namespace driver

// Failures: how they are made and told.

#include "failure.hpp"

#include <cerrno>
#include <new>
#include <ostream>
#include <system_error>

namespace driver {

void fail(const char* call) {
    // A stream may fail without a call to the kernel that did.
    throw Failure{call, errno != 0 ? errno : EIO};
}

Failure current_failure(const std::string& call) {
    try {
        throw;
    } catch (const Failure& failure) {
        return failure;
    } catch (const std::system_error& error) {
        const std::error_category& category = error.code().category();
        const bool is_errno = category == std::generic_category() || category == std::system_category();
        return {call, is_errno ? error.code().value() : EIO};
    } catch (const std::bad_alloc&) {
        return {call, ENOMEM};
    } catch (const std::length_error&) {
        // A string or vector of more bytes than there can be.
        return {call, ENOMEM};
    }
}

std::ostream& operator<<(std::ostream& out, const Failure& failure) {
    return out << "error op=" << failure.call << " errno=" << failure.number << " path=" << failure.path;
}

}  // namespace driver

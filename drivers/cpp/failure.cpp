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

std::string errno_name(int number) {
    // What calls on files can return; the standard library knows only their texts.
    switch (number) {
        case EPERM: return "EPERM";
        case ENOENT: return "ENOENT";
        case EINTR: return "EINTR";
        case EIO: return "EIO";
        case ENXIO: return "ENXIO";
        case EBADF: return "EBADF";
        case EAGAIN: return "EAGAIN";
        case ENOMEM: return "ENOMEM";
        case EACCES: return "EACCES";
        case EFAULT: return "EFAULT";
        case EBUSY: return "EBUSY";
        case EEXIST: return "EEXIST";
        case EXDEV: return "EXDEV";
        case ENODEV: return "ENODEV";
        case ENOTDIR: return "ENOTDIR";
        case EISDIR: return "EISDIR";
        case EINVAL: return "EINVAL";
        case ENFILE: return "ENFILE";
        case EMFILE: return "EMFILE";
        case ENOTTY: return "ENOTTY";
        case ETXTBSY: return "ETXTBSY";
        case EFBIG: return "EFBIG";
        case ENOSPC: return "ENOSPC";
        case ESPIPE: return "ESPIPE";
        case EROFS: return "EROFS";
        case EPIPE: return "EPIPE";
        case ENAMETOOLONG: return "ENAMETOOLONG";
        case ENOSYS: return "ENOSYS";
        case ELOOP: return "ELOOP";
        case ENODATA: return "ENODATA";
        case EOVERFLOW: return "EOVERFLOW";
        case EOPNOTSUPP: return "EOPNOTSUPP";
        case ESTALE: return "ESTALE";
        case EDQUOT: return "EDQUOT";
        case ETIMEDOUT: return "ETIMEDOUT";
        default: return "E" + std::to_string(number);
    }
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
    return out << "error op=" << failure.call << " errno=" << errno_name(failure.number) << " path=" << failure.path;
}

}  // namespace driver

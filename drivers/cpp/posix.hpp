// What POSIX opens, closed when it goes out of scope.

#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "failure.hpp"

namespace driver {

// An open file descriptor.
class Descriptor {
public:
    Descriptor(const std::string& path, int flags) : fd_(::open(path.c_str(), flags, 0644)) {
        if (fd_ < 0) {
            fail("open");
        }
    }

    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }

    int get() const { return fd_; }

    std::size_t read(char* buffer, std::size_t length) const {
        const ssize_t count = ::read(fd_, buffer, length);
        if (count < 0) {
            fail("read");
        }
        return static_cast<std::size_t>(count);
    }

    std::size_t pread(char* buffer, std::size_t length, std::uint64_t offset) const {
        const ssize_t count = ::pread(fd_, buffer, length, static_cast<off_t>(offset));
        if (count < 0) {
            fail("pread");
        }
        return static_cast<std::size_t>(count);
    }

    void write(std::string_view data) const {
        while (!data.empty()) {
            const ssize_t count = ::write(fd_, data.data(), data.size());
            if (count < 0) {
                fail("write");
            }
            data.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    void pwrite(std::string_view data, std::uint64_t offset) const {
        while (!data.empty()) {
            const ssize_t count = ::pwrite(fd_, data.data(), data.size(), static_cast<off_t>(offset));
            if (count < 0) {
                fail("pwrite");
            }
            data.remove_prefix(static_cast<std::size_t>(count));
            offset += static_cast<std::uint64_t>(count);
        }
    }

    void fsync() const {
        if (::fsync(fd_) != 0) {
            fail("fsync");
        }
    }

    // Of the whole file system that the file is on.
    void syncfs() const {
        if (::syncfs(fd_) != 0) {
            fail("syncfs");
        }
    }

    // Unlike the destructor it says when that fails.
    void close() {
        if (::close(std::exchange(fd_, -1)) != 0) {
            fail("close");
        }
    }

    void seek(std::uint64_t offset) const {
        if (::lseek(fd_, static_cast<off_t>(offset), SEEK_SET) < 0) {
            fail("lseek");
        }
    }

    // The file's size, by fstat.
    std::size_t size() const {
        struct stat status;
        if (::fstat(fd_, &status) != 0) {
            fail("fstat");
        }
        return static_cast<std::size_t>(status.st_size);
    }

private:
    int fd_;
};

// The first bytes of a file, mapped. None need no mapping and have none.
class Mapping {
public:
    Mapping(const Descriptor& file, std::size_t length) : length_(length) {
        if (length == 0) {
            return;
        }
        start_ = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, file.get(), 0);
        if (start_ == MAP_FAILED) {
            fail("mmap");
        }
    }

    Mapping(Mapping&& other) noexcept
        : start_(std::exchange(other.start_, nullptr)), length_(std::exchange(other.length_, 0)) {}
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    Mapping& operator=(Mapping&&) = delete;

    ~Mapping() {
        if (length_ != 0) {
            ::munmap(start_, length_);
        }
    }

    void advise(int advice) const {
        if (length_ != 0 && ::madvise(start_, length_, advice) != 0) {
            fail("madvise");
        }
    }

    std::string_view data() const { return {static_cast<const char*>(start_), length_}; }

private:
    void* start_ = nullptr;
    std::size_t length_;
};

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// A stream of the C library.
using File = std::unique_ptr<std::FILE, CloseFile>;

inline File open_file(const std::string& path, const char* mode) {
    File file(std::fopen(path.c_str(), mode));
    if (file == nullptr) {
        fail("fopen");
    }
    return file;
}

}  // namespace driver

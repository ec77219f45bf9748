// The directory in which the methods of a run make their files.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace driver {

// Hands out a new directory for every run of operations. It removes what the
// run before left where the operation asks for that, and nothing else.
class Workplace {
public:
    explicit Workplace(std::string path) : path_(std::move(path)) {}

    // Makes the next directory; every path that is said here is one in it.
    void next();

    // Takes the directory that whoever asked for the run has made, with the
    // files that the run is to find; false where there is none.
    bool take_prepared();

    std::string path(const std::string& name) const { return current_ + "/" + name; }
    const std::string& current() const { return current_; }

    // Paths of `count` files: the letter and a number from 0.
    std::vector<std::string> paths(char letter, std::uint64_t count) const;

    // Tells that these files go before the clock of the next run starts.
    void leave(std::vector<std::string> files) { left_ = std::move(files); }

    // Removes them.
    void clear();

    // The file that every run of write-block overwrites: it moves from one
    // directory to the next.
    std::optional<std::string> kept;

private:
    std::string path_;
    std::string current_;
    std::uint64_t made_ = 0;
    std::vector<std::string> left_;
};

}  // namespace driver

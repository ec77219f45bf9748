// The clock, and the figures beside the time.

#pragma once

#include <cstdint>
#include <iosfwd>

namespace driver {

// CLOCK_MONOTONIC, by std::chrono::steady_clock.
std::uint64_t now_ns();

// What the kernel counted for the calling thread. Reading it takes two calls,
// well below a microsecond.
struct ThreadFigures {
    std::int64_t cpu_ns = 0;
    std::int64_t nivcsw = 0;
    std::int64_t minflt = 0;
    std::int64_t majflt = 0;

    static ThreadFigures read();

    ThreadFigures since(const ThreadFigures& before) const;
};

std::ostream& operator<<(std::ostream& out, const ThreadFigures& figures);

// Marks for a tracer: a call that names the path and fails with ENOENT.
void mark_begin();
void mark_end();

}  // namespace driver

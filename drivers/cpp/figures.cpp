// The clock, the figures beside the time, and the marks.

#include "figures.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <ostream>

namespace driver {

std::uint64_t now_ns() {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(since_start).count());
}

ThreadFigures ThreadFigures::read() {
    // Neither call can fail with these arguments.
    struct rusage usage {};
    ::getrusage(RUSAGE_THREAD, &usage);
    struct timespec cpu {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    return {std::int64_t{cpu.tv_sec} * 1'000'000'000 + cpu.tv_nsec, usage.ru_nivcsw, usage.ru_minflt,
            usage.ru_majflt};
}

ThreadFigures ThreadFigures::since(const ThreadFigures& before) const {
    return {cpu_ns - before.cpu_ns, nivcsw - before.nivcsw, minflt - before.minflt, majflt - before.majflt};
}

std::ostream& operator<<(std::ostream& out, const ThreadFigures& figures) {
    return out << " cpu_ns=" << figures.cpu_ns << " nivcsw=" << figures.nivcsw << " minflt=" << figures.minflt
               << " majflt=" << figures.majflt;
}

void mark_begin() { static_cast<void>(::access("/fathom-mark/begin", F_OK)); }

void mark_end() { static_cast<void>(::access("/fathom-mark/end", F_OK)); }

}  // namespace driver

//! Figures beside the time: what the kernel counted for the operations'
//! thread. They are read outside the clock; Zig's allocators count nothing.

const std = @import("std");
const linux = std.os.linux;

pub const Figures = struct {
    cpu_ns: i64 = 0,
    nivcsw: i64 = 0,
    minflt: i64 = 0,
    majflt: i64 = 0,

    /// Both calls take well below a microsecond, and cannot fail with these arguments.
    pub fn read() Figures {
        const usage = std.posix.getrusage(linux.rusage.THREAD);
        var cpu: linux.timespec = undefined;
        _ = linux.clock_gettime(.THREAD_CPUTIME_ID, &cpu);
        return .{
            .cpu_ns = cpu.sec * std.time.ns_per_s + cpu.nsec,
            .nivcsw = usage.nivcsw,
            .minflt = usage.minflt,
            .majflt = usage.majflt,
        };
    }

    pub fn since(after: Figures, before: Figures) Figures {
        return .{
            .cpu_ns = after.cpu_ns - before.cpu_ns,
            .nivcsw = after.nivcsw - before.nivcsw,
            .minflt = after.minflt - before.minflt,
            .majflt = after.majflt - before.majflt,
        };
    }
};

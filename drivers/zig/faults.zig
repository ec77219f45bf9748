//! A mapped file that is shorter than its mapping, or that finds no room on its
//! device, sends SIGBUS where it is touched. Here that becomes an error of the batch, not the end of the driver.

const std = @import("std");
const linux = std.os.linux;
const posix = std.posix;

var hit: std.atomic.Value(bool) = .init(false);

pub fn install() void {
    posix.sigaction(.BUS, &.{
        .handler = .{ .sigaction = fillPage },
        .mask = posix.sigemptyset(),
        .flags = linux.SA.SIGINFO,
    }, null);
}

/// True when a fault was met since it was last asked.
pub fn taken() bool {
    return hit.swap(false, .monotonic);
}

/// Puts an empty page where the file has none, so that the operation can end.
fn fillPage(_: posix.SIG, info: *const posix.siginfo_t, _: ?*anyopaque) callconv(.c) void {
    const page = std.heap.page_size_min;
    const address = std.mem.alignBackward(usize, @intFromPtr(info.fields.sigfault.addr), page);
    const result = linux.mmap(
        @ptrFromInt(address),
        page,
        .{ .READ = true, .WRITE = true },
        .{ .TYPE = .PRIVATE, .ANONYMOUS = true, .FIXED = true },
        -1,
        0,
    );
    if (linux.errno(result) != .SUCCESS) linux.exit_group(2);
    hit.store(true, .monotonic);
}

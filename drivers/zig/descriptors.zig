//! How many files this process may have open, for batches that close none.

const std = @import("std");
const failure = @import("failure.zig");

/// What the program has open besides, generously.
const reserve = 16;

/// Raises the limit as far as it may be raised.
pub fn raiseLimit() void {
    var limits = std.posix.getrlimit(.NOFILE) catch return;
    limits.cur = limits.max;
    // What is not allowed stays as it was; `expect` asks what holds.
    std.posix.setrlimit(.NOFILE, limits) catch {};
}

/// Refuses a batch that would need more.
pub fn expect(count: u64) error{Refused}!void {
    const limits = std.posix.getrlimit(.NOFILE) catch return;
    if (count +| reserve <= limits.cur) return;
    failure.last = .{ .op = "getrlimit(NOFILE)", .errno = "EMFILE" };
    return error.Refused;
}

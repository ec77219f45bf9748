//! The memory that methods with a caller's buffer read into.

const std = @import("std");
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;

/// Gives each operation its buffer: always the same one, or a new one.
pub const Buffers = struct {
    gpa: std.mem.Allocator,
    length: usize,
    reused: ?[]u8,

    pub fn init(gpa: std.mem.Allocator, length: usize, fresh: bool) std.mem.Allocator.Error!Buffers {
        if (fresh) return .{ .gpa = gpa, .length = length, .reused = null };
        const memory = try gpa.alignedAlloc(u8, .fromByteUnits(std.heap.page_size_min), length);
        @memset(memory, 1);
        return .{ .gpa = gpa, .length = length, .reused = memory };
    }

    /// The buffer of the next operation.
    pub fn take(buffers: *const Buffers) Failed![]u8 {
        return buffers.reused orelse buffers.gpa.alloc(u8, buffers.length) catch |err| failed("Allocator.alloc", err);
    }

    /// Gives it back.
    pub fn give(buffers: *const Buffers, buffer: []u8) void {
        if (buffers.reused == null) buffers.gpa.free(buffer);
    }
};

//! hash: the MD5 of a file, or its XXH64.

const std = @import("std");
const Md5 = std.crypto.hash.Md5;
const XxHash64 = std.hash.XxHash64;
const mapping = @import("mapping.zig");
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;
const Plan = @import("arguments.zig").Plan;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn readStreaming(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    var hasher: Hasher = .init(task.plan.algorithm);
    var bytes: u64 = 0;
    while (true) {
        const n = file.readStreaming(task.io, &.{buffer}) catch |err| switch (err) {
            error.EndOfStream => break,
            else => return failed("readStreaming", err),
        };
        hasher.update(buffer[0..n]);
        bytes += n;
    }
    hasher.deliver(bytes, out);
}

pub fn mmap(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const data = try mapping.mapFile(task.io, task.paths[which]);
    defer mapping.unmap(data);
    hashMemory(task.plan.algorithm, data, out);
}

/// Hashes what is in memory.
pub fn hashMemory(algorithm: Plan.Algorithm, data: []const u8, out: *Sink) void {
    var hasher: Hasher = .init(algorithm);
    hasher.update(data);
    hasher.deliver(data.len, out);
}

const Hasher = union(Plan.Algorithm) {
    md5: Md5,
    xxh64: XxHash64,

    fn init(algorithm: Plan.Algorithm) Hasher {
        return switch (algorithm) {
            .md5 => .{ .md5 = .init(.{}) },
            .xxh64 => .{ .xxh64 = .init(0) },
        };
    }

    fn update(hasher: *Hasher, data: []const u8) void {
        switch (hasher.*) {
            inline else => |*each| each.update(data),
        }
    }

    fn deliver(hasher: *Hasher, bytes: u64, out: *Sink) void {
        switch (hasher.*) {
            .md5 => |*md5| {
                var sum: [Md5.digest_length]u8 = undefined;
                md5.final(&sum);
                out.takeHash(bytes, &sum);
            },
            .xxh64 => |*xxh64| {
                var sum: [8]u8 = undefined;
                std.mem.writeInt(u64, &sum, xxh64.final(), .big);
                out.takeHash(bytes, &sum);
            },
        }
    }
};

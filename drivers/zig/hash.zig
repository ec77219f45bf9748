//! hash: the MD5 of a file.

const std = @import("std");
const Md5 = std.crypto.hash.Md5;
const mapping = @import("mapping.zig");
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn readStreaming(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    var md5: Md5 = .init(.{});
    var bytes: u64 = 0;
    while (true) {
        const n = file.readStreaming(task.io, &.{buffer}) catch |err| switch (err) {
            error.EndOfStream => break,
            else => return failed("readStreaming", err),
        };
        md5.update(buffer[0..n]);
        bytes += n;
    }
    var sum: [Md5.digest_length]u8 = undefined;
    md5.final(&sum);
    out.takeHash(bytes, &sum);
}

pub fn mmap(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const data = try mapping.mapFile(task.io, task.paths[which]);
    defer mapping.unmap(data);
    var sum: [Md5.digest_length]u8 = undefined;
    Md5.hash(data, &sum, .{});
    out.takeHash(data.len, &sum);
}

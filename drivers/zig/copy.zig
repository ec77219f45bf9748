//! copy: copy a file to a new one.

const std = @import("std");
const failed = @import("failure.zig").failed;
const failedAt = @import("failure.zig").failedAt;
const Dir = std.Io.Dir;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

/// copyFile does not tell how much it copied.
pub fn holdSize(task: *Task, which: usize) Failed!void {
    const stat = Dir.cwd().statFile(task.io, task.paths[which], .{}) catch |err| return failed("statFile", err);
    task.held[which] = .{ .size = stat.size };
}

pub fn copyFile(task: *Task, which: usize, i: u64, out: *Sink) Failed!void {
    Dir.cwd().copyFile(task.paths[which], .cwd(), task.site.names[i], task.io, .{}) catch |err| return failed("copyFile", err);
    out.bytes += task.held[which].size;
}

pub fn readWrite(task: *Task, which: usize, i: u64, out: *Sink) Failed!void {
    const source = Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer source.close(task.io);
    const path = task.site.names[i];
    const copy = Dir.cwd().createFile(task.io, path, .{}) catch |err| return failedAt("createFile", err, path);
    defer copy.close(task.io);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    while (true) {
        const n = source.readStreaming(task.io, &.{buffer}) catch |err| switch (err) {
            error.EndOfStream => break,
            else => return failed("readStreaming", err),
        };
        copy.writeStreamingAll(task.io, buffer[0..n]) catch |err| return failedAt("writeStreamingAll", err, path);
        out.bytes += n;
    }
    if (task.plan.sync == .fsync) copy.sync(task.io) catch |err| return failedAt("sync", err, path);
}

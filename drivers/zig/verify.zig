//! What an operation that writes left behind, read back for `verify`.

const std = @import("std");
const failedAt = @import("failure.zig").failedAt;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

/// Delivers the file of the batch's first operation, of `write-block` the block at `offset`.
pub fn readBack(task: *Task, offset: u64, out: *Sink) Failed!void {
    const path = task.site.names[0];
    const file = std.Io.Dir.cwd().openFile(task.io, path, .{}) catch |err| return failedAt("openFile", err, path);
    defer file.close(task.io);
    const blocks = task.plan.operation == .@"write-block";
    const size = if (blocks) task.plan.block else file.length(task.io) catch |err| return failedAt("length", err, path);
    const data = task.gpa.alloc(u8, size) catch |err| return failedAt("alloc", err, path);
    defer task.gpa.free(data);
    const n = file.readPositionalAll(task.io, data, offset) catch |err| return failedAt("readPositionalAll", err, path);
    if (n < size) return failedAt("readPositionalAll", error.EndOfStream, path);
    out.take(data);
}

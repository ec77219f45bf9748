//! open-close: open an existing file for reading and close it.

const std = @import("std");
const linux = std.os.linux;
const failure = @import("failure.zig");
const Failed = failure.Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn dirOpenFile(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failure.failed("openFile", err);
    file.close(task.io);
}

pub fn openFileAbsolute(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const file = std.Io.Dir.openFileAbsolute(task.io, task.paths[which], .{}) catch |err| return failure.failed("openFileAbsolute", err);
    file.close(task.io);
}

pub fn posixOpenat(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const fd = std.posix.openat(std.posix.AT.FDCWD, task.paths[which], .{ .ACCMODE = .RDONLY }, 0) catch |err| return failure.failed("openat", err);
    _ = linux.close(fd);
}

pub fn linuxOpen(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const result = linux.open(task.paths[which], .{ .ACCMODE = .RDONLY }, 0);
    switch (linux.errno(result)) {
        .SUCCESS => _ = linux.close(@intCast(result)),
        else => |errno| return failure.failedWith("open", errno),
    }
}

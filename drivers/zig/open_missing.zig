//! open-missing: open a path that does not exist. That it is not found is the
//! right answer.

const std = @import("std");
const linux = std.os.linux;
const failure = @import("failure.zig");
const failed = failure.failed;
const Failed = failure.Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn dirOpenFile(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return expectMissing("openFile", err);
    file.close(task.io);
    return failed("openFile", error.PathAlreadyExists);
}

pub fn openFileAbsolute(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const file = std.Io.Dir.openFileAbsolute(task.io, task.paths[which], .{}) catch |err| return expectMissing("openFileAbsolute", err);
    file.close(task.io);
    return failed("openFileAbsolute", error.PathAlreadyExists);
}

pub fn posixOpenat(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const fd = std.posix.openat(std.posix.AT.FDCWD, task.paths[which], .{ .ACCMODE = .RDONLY }, 0) catch |err| return expectMissing("openat", err);
    _ = linux.close(fd);
    return failed("openat", error.PathAlreadyExists);
}

pub fn linuxOpen(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const result = linux.open(task.paths[which], .{ .ACCMODE = .RDONLY }, 0);
    switch (linux.errno(result)) {
        .NOENT => {},
        .SUCCESS => {
            _ = linux.close(@intCast(result));
            return failure.failedWith("open", .EXIST);
        },
        else => |errno| return failure.failedWith("open", errno),
    }
}

fn expectMissing(op: []const u8, err: anyerror) Failed!void {
    if (err != error.FileNotFound) return failed(op, err);
}

//! open-write-close: open an existing file for writing and close it.

const std = @import("std");
const linux = std.os.linux;
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn dirOpenFile(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{ .mode = .write_only }) catch |err| return failed("openFile", err);
    file.close(task.io);
}

/// Truncates the file: that is what createFile does unless told otherwise.
pub fn dirCreateFile(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().createFile(task.io, task.paths[which], .{}) catch |err| return failed("createFile", err);
    file.close(task.io);
}

/// createFile would make a missing file; the operation is about existing ones.
/// Once seen, a file is not looked for again: that would warm what may have been evicted.
pub fn mustExist(task: *Task, which: usize) Failed!void {
    std.Io.Dir.cwd().access(task.io, task.paths[which], .{}) catch |err| return failed("access", err);
}

pub fn posixOpenat(task: *Task, which: usize, _: u64, _: *Sink) Failed!void {
    const fd = std.posix.openat(std.posix.AT.FDCWD, task.paths[which], .{ .ACCMODE = .WRONLY }, 0) catch |err| return failed("openat", err);
    _ = linux.close(fd);
}

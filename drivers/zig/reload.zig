//! reload: make sure that what the program holds of a file is current.

const std = @import("std");
const failed = @import("failure.zig").failed;
const Dir = std.Io.Dir;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

/// A file's data, and what its status was when they were read.
pub const Copy = struct {
    data: []const u8,
    stat: std.Io.File.Stat,

    /// The status first: of a file that changes in between, it is then out of date, which is noticed later.
    fn read(task: *Task, which: usize) Failed!Copy {
        const stat = Dir.cwd().statFile(task.io, task.paths[which], .{}) catch |err| return failed("statFile", err);
        return .{ .stat = stat, .data = try load(task, which) };
    }

    fn isOf(copy: *const Copy, stat: std.Io.File.Stat) bool {
        return copy.stat.mtime.nanoseconds == stat.mtime.nanoseconds and copy.stat.size == stat.size and copy.stat.inode == stat.inode;
    }
};

/// The copy is no hold on the file, so it stays.
pub fn holdCopy(task: *Task, which: usize) Failed!void {
    task.held[which] = .{ .copy = try .read(task, which) };
}

pub fn statFile(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const copy = &task.held[which].copy;
    const stat = Dir.cwd().statFile(task.io, task.paths[which], .{}) catch |err| return failed("statFile", err);
    if (!copy.isOf(stat)) {
        const fresh: Copy = try .read(task, which);
        task.gpa.free(copy.data);
        copy.* = fresh;
    }
    out.take(copy.data);
}

pub fn readFileAlloc(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const copy = &task.held[which].copy;
    const data = try load(task, which);
    if (std.mem.eql(u8, data, copy.data)) {
        task.gpa.free(data);
    } else {
        task.gpa.free(copy.data);
        copy.data = data;
    }
    out.take(copy.data);
}

fn load(task: *Task, which: usize) Failed![]u8 {
    return Dir.cwd().readFileAlloc(task.io, task.paths[which], task.gpa, .unlimited) catch |err| failed("readFileAlloc", err);
}

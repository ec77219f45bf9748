//! create: make a new file, write into it in one go, close it.

const std = @import("std");
const linux = std.os.linux;
const failure = @import("failure.zig");
const failed = failure.failed;
const Action = @import("task.zig").Action;
const Failed = failure.Failed;
const File = std.Io.File;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

const ByDir = struct {
    fn open(task: *Task, path: [:0]const u8) Failed!File {
        return std.Io.Dir.cwd().createFile(task.io, path, .{}) catch |err| failed("createFile", err);
    }

    fn write(task: *Task, file: File, text: []const u8) Failed!void {
        file.writeStreamingAll(task.io, text) catch |err| return failed("writeStreamingAll", err);
    }

    fn sync(task: *Task, file: File) Failed!void {
        file.sync(task.io) catch |err| return failed("sync", err);
    }

    fn close(task: *Task, file: File) void {
        file.close(task.io);
    }
};

const ByCalls = struct {
    fn open(_: *Task, path: [:0]const u8) Failed!File {
        const result = linux.open(path, .{ .ACCMODE = .WRONLY, .CREAT = true, .TRUNC = true }, 0o644);
        if (linux.errno(result) != .SUCCESS) return failure.failedWith("open", linux.errno(result));
        return .{ .handle = @intCast(result), .flags = .{ .nonblocking = false } };
    }

    fn write(_: *Task, file: File, text: []const u8) Failed!void {
        const n = linux.write(file.handle, text.ptr, text.len);
        if (linux.errno(n) != .SUCCESS) return failure.failedWith("write", linux.errno(n));
        // The kernel writes less than it was given where there is no more room.
        if (n < text.len) return failed("write", error.NoSpaceLeft);
    }

    fn sync(_: *Task, file: File) Failed!void {
        const result = linux.fsync(file.handle);
        if (linux.errno(result) != .SUCCESS) return failure.failedWith("fsync", linux.errno(result));
    }

    fn close(_: *Task, file: File) void {
        _ = linux.close(file.handle);
    }
};

/// Dir.createFile and the methods of its File.
pub const dirCreateFile = creation(ByDir);
/// System calls alone.
pub const linuxOpen = creation(ByCalls);

/// A file at a time, or every file opened and written before the next step of every file.
fn creation(comptime way: type) Action {
    const steps = struct {
        fn perform(task: *Task, _: usize, i: u64, out: *Sink) Failed!void {
            const file = try way.open(task, task.site.names[i]);
            defer way.close(task, file);
            const text = task.ground.content.text;
            if (text.len > 0) try way.write(task, file, text);
            if (task.plan.sync == .fsync) try way.sync(task, file);
            out.takeWritten(text);
        }

        fn open(task: *Task, _: usize, i: u64, out: *Sink) Failed!void {
            const file = try way.open(task, task.site.names[i]);
            task.site.files[i] = file;
            const text = task.ground.content.text;
            if (text.len > 0) try way.write(task, file, text);
            out.takeWritten(text);
        }

        fn sync(task: *Task, _: usize, i: u64, _: *Sink) Failed!void {
            try way.sync(task, task.site.files[i].?);
        }

        fn close(task: *Task, _: usize, i: u64, _: *Sink) Failed!void {
            way.close(task, task.site.files[i].?);
            task.site.files[i] = null;
        }
    };
    return .{
        .perform = steps.perform,
        .phases = .{ .open = steps.open, .sync = steps.sync, .close = steps.close },
        .makes = .{},
    };
}

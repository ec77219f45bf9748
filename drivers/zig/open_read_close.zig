//! open-read-close: open, one read at offset 0, close.

const std = @import("std");
const linux = std.os.linux;
const failure = @import("failure.zig");
const mapping = @import("mapping.zig");
const failed = failure.failed;
const Failed = failure.Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn readStreaming(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const n = file.readStreaming(task.io, &.{buffer}) catch |err| switch (err) {
        error.EndOfStream => 0,
        else => return failed("readStreaming", err),
    };
    out.take(buffer[0..n]);
}

pub fn readPositionalAll(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const n = file.readPositionalAll(task.io, buffer, 0) catch |err| return failed("readPositionalAll", err);
    out.take(buffer[0..n]);
}

pub fn posixRead(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const fd = std.posix.openat(std.posix.AT.FDCWD, task.paths[which], .{ .ACCMODE = .RDONLY }, 0) catch |err| return failed("openat", err);
    defer _ = linux.close(fd);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const n = std.posix.read(fd, buffer) catch |err| return failed("read", err);
    out.take(buffer[0..n]);
}

pub fn linuxPread(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const opened = linux.open(task.paths[which], .{ .ACCMODE = .RDONLY }, 0);
    if (linux.errno(opened) != .SUCCESS) return failure.failedWith("open", linux.errno(opened));
    const fd: linux.fd_t = @intCast(opened);
    defer _ = linux.close(fd);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const n = linux.pread(fd, buffer.ptr, buffer.len, 0);
    if (linux.errno(n) != .SUCCESS) return failure.failedWith("pread", linux.errno(n));
    out.take(buffer[0..n]);
}

pub fn mmap(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const data = try mapping.mapStart(task.io, task.paths[which], task.length);
    defer mapping.unmap(data);
    out.take(data);
}

pub fn memoryMap(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    if (task.length == 0) return;
    var memory_map = try mapping.createMemoryMap(task.io, file, task.length);
    defer memory_map.destroy(task.io);
    out.take(memory_map.memory);
}

//! write-block: write one block into a file that stays open, or stays mapped.

const std = @import("std");
const linux = std.os.linux;
const posix = std.posix;
const failure = @import("failure.zig");
const failed = failure.failed;
const Failed = failure.Failed;
const File = std.Io.File;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

/// What stands there is kept: `--existing data` overwrites it.
pub fn openFile(task: *Task) Failed!void {
    task.site.target = .{ .file = try createFile(task, .{ .truncate = false }) };
}

pub fn closeFile(task: *Task) void {
    task.site.target.file.close(task.io);
}

pub fn writePositionalAll(task: *Task, _: usize, offset: u64, out: *Sink) Failed!void {
    const data = task.blocks.next();
    task.site.target.file.writePositionalAll(task.io, data, offset) catch |err| return failed("writePositionalAll", err);
    out.take(data);
}

pub fn openDescriptor(task: *Task) Failed!void {
    const path = task.site.names[0];
    const result = linux.open(path, .{ .ACCMODE = .WRONLY, .CREAT = true }, 0o644);
    if (linux.errno(result) != .SUCCESS) return failure.failedWithAt("open", linux.errno(result), path);
    task.site.target = .{ .file = .{ .handle = @intCast(result), .flags = .{ .nonblocking = false } } };
}

pub fn linuxPwrite(task: *Task, _: usize, offset: u64, out: *Sink) Failed!void {
    const data = task.blocks.next();
    const n = linux.pwrite(task.site.target.file.handle, data.ptr, data.len, @intCast(offset));
    if (linux.errno(n) != .SUCCESS) return failure.failedWith("pwrite", linux.errno(n));
    // The kernel writes less than it was given where there is no more room.
    if (n < data.len) return failed("pwrite", error.NoSpaceLeft);
    out.take(data);
}

/// A writer keeps its buffer for as long as it lives.
pub const BufferedWriter = struct {
    buffer: [4096]u8,
    writer: File.Writer,
};

pub fn openWriter(task: *Task) Failed!void {
    const buffered = task.site.arena.allocator().create(BufferedWriter) catch |err| return failed("create", err);
    const file = try createFile(task, .{ .truncate = false });
    buffered.writer = file.writer(task.io, &buffered.buffer);
    task.site.target = .{ .writer = buffered };
}

pub fn closeWriter(task: *Task) void {
    task.site.target.writer.writer.file.close(task.io);
}

/// The offsets are sequential: it seeks where the batch starts and where the file ends.
pub fn bufferedWrite(task: *Task, _: usize, offset: u64, out: *Sink) Failed!void {
    const data = task.blocks.next();
    const writer = &task.site.target.writer.writer;
    if (writer.logicalPos() != offset) writer.seekTo(offset) catch |err| return failed("seekTo", writer.err orelse err);
    writer.interface.writeAll(data) catch |err| return failed("writeAll", writer.err orelse err);
    out.take(data);
}

pub fn flushWriter(task: *Task) Failed!void {
    task.site.target.writer.writer.flush() catch |err| return failed("flush", err);
}

/// A mapping cannot make its file longer.
pub fn openMapping(task: *Task) Failed!void {
    const file = try createFile(task, .{ .truncate = false, .read = true });
    errdefer file.close(task.io);
    const size = task.plan.size;
    const path = task.site.names[0];
    if (task.plan.existing != .data) file.setLength(task.io, size) catch |err| return failure.failedAt("setLength", err, path);
    const memory = posix.mmap(null, size, .{ .READ = true, .WRITE = true }, .{ .TYPE = .SHARED }, file.handle, 0) catch |err| return failure.failedAt("mmap", err, path);
    task.site.target = .{ .mapping = .{ .file = file, .memory = memory } };
}

pub fn closeMapping(task: *Task) void {
    posix.munmap(task.site.target.mapping.memory);
    task.site.target.mapping.file.close(task.io);
}

pub fn mmap(task: *Task, _: usize, offset: u64, out: *Sink) Failed!void {
    const data = task.blocks.next();
    @memcpy(task.site.target.mapping.memory[offset..][0..data.len], data);
    out.take(data);
}

fn createFile(task: *Task, flags: std.Io.Dir.CreateFileOptions) Failed!File {
    const path = task.site.names[0];
    return std.Io.Dir.cwd().createFile(task.io, path, flags) catch |err| failure.failedAt("createFile", err, path);
}

//! lines: hand over every line of a file, without its newline.

const std = @import("std");
const mapping = @import("mapping.zig");
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn takeDelimiter(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    var reader = file.reader(task.io, buffer);
    while (true) {
        const line = reader.interface.takeDelimiter('\n') catch |err| switch (err) {
            error.StreamTooLong => {
                try takeLongLine(task, &reader, out);
                continue;
            },
            error.ReadFailed => return failed("takeDelimiter", reader.err.?),
        } orelse return;
        out.takeLine(line);
    }
}

/// A line that is longer than the reader's buffer has to be put together elsewhere.
fn takeLongLine(task: *Task, reader: *std.Io.File.Reader, out: *Sink) Failed!void {
    var line: std.Io.Writer.Allocating = .init(task.gpa);
    defer line.deinit();
    _ = reader.interface.streamDelimiterEnding(&line.writer, '\n') catch |err| return failed("streamDelimiterEnding", reader.err orelse err);
    out.takeLine(line.written());
    // It stops before the newline, or at the end of the file with nothing buffered.
    if (reader.interface.bufferedLen() > 0) reader.interface.toss(1);
}

pub fn streamDelimiterEnding(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    var reader = file.reader(task.io, buffer);
    var line: std.Io.Writer.Allocating = .init(task.gpa);
    defer line.deinit();
    while (true) {
        line.clearRetainingCapacity();
        _ = reader.interface.streamDelimiterEnding(&line.writer, '\n') catch |err| return failed("streamDelimiterEnding", reader.err orelse err);
        if (reader.interface.bufferedLen() == 0) break;
        reader.interface.toss(1);
        out.takeLine(line.written());
    }
    if (line.written().len > 0) out.takeLine(line.written());
}

pub fn mmap(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const data = try mapping.mapFile(task.io, task.paths[which]);
    defer mapping.unmap(data);
    takeLines(data, out);
}

/// Hands over the lines of a text in memory.
pub fn takeLines(text: []const u8, out: *Sink) void {
    var start: usize = 0;
    while (std.mem.findScalarPos(u8, text, start, '\n')) |newline| {
        out.takeLine(text[start..newline]);
        start = newline + 1;
    }
    if (start < text.len) out.takeLine(text[start..]);
}

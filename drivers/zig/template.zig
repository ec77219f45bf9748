//! template: render a page, from a template in the program or read each time.

const std = @import("std");
const Writer = std.Io.Writer;
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn embedFile(task: *Task, _: usize, _: u64, out: *Sink) Failed!void {
    const page = render(task.gpa, @embedFile("page.template")) catch |err| return failed("render", err);
    defer task.gpa.free(page);
    out.take(page);
}

pub fn readFileAlloc(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const text = std.Io.Dir.cwd().readFileAlloc(task.io, task.paths[which], task.gpa, .unlimited) catch |err| return failed("readFileAlloc", err);
    defer task.gpa.free(text);
    const page = render(task.gpa, text) catch |err| return failed("render", err);
    defer task.gpa.free(page);
    out.take(page);
}

/// The page that a template makes; Zig's library has no templates of its own.
pub fn render(gpa: std.mem.Allocator, template: []const u8) (error{OutOfMemory} || Writer.Error)![]u8 {
    var page: Writer.Allocating = try .initCapacity(gpa, template.len);
    defer page.deinit();
    const fields = [_]struct { []const u8, []const u8 }{ .{ "{{.Name}}", "fathom" }, .{ "{{.Number}}", "42" } };
    var rest = template;
    next: while (std.mem.find(u8, rest, "{{")) |start| {
        try page.writer.writeAll(rest[0..start]);
        rest = rest[start..];
        for (fields) |field| {
            if (!std.mem.startsWith(u8, rest, field[0])) continue;
            try page.writer.writeAll(field[1]);
            rest = rest[field[0].len..];
            continue :next;
        }
        // Of `{{{` the second brace may begin a field.
        try page.writer.writeAll(rest[0..1]);
        rest = rest[1..];
    }
    try page.writer.writeAll(rest);
    return page.toOwnedSlice();
}

//! The entry of the driver: `describe` or `run`, and the exit codes. It does not
//! know what a method does.

const std = @import("std");
const builtin = @import("builtin");
const arguments = @import("arguments.zig");
const failure = @import("failure.zig");
const methods = @import("methods.zig");
const Session = @import("session.zig").Session;

const exit_done = 0;
const exit_usage = 2;
const exit_unsupported = 77;

pub fn main(init: std.process.Init) !u8 {
    const words = try init.minimal.args.toSlice(init.arena.allocator());
    const command = if (words.len > 1) words[1] else "";
    if (std.mem.eql(u8, command, "describe")) return describe(init.io);
    if (std.mem.eql(u8, command, "run")) return run(init, words[2..]);
    std.debug.print("usage: driver describe | driver run --operation NAME --method NAME --path FILE …\n", .{});
    return exit_usage;
}

fn run(init: std.process.Init, words: []const [:0]const u8) !u8 {
    const arena = init.arena.allocator();
    const plan = arguments.parse(arena, words) catch |err| switch (err) {
        error.WrongArguments => {
            std.debug.print("error: wrong argument: {s}\n", .{arguments.complaint});
            return exit_usage;
        },
        error.NotSupported => {
            std.debug.print("not supported: {s}\n", .{arguments.complaint});
            return exit_unsupported;
        },
        error.OutOfMemory => return err,
    };
    var session: Session = undefined;
    session.init(init.io, init.gpa, arena, &plan) catch |err| {
        if (err != error.Refused) {
            std.debug.print("error: {t}\n", .{err});
            return exit_usage;
        }
        return refuse();
    };
    var in_buffer: [4096]u8 = undefined;
    var out_buffer: [4096]u8 = undefined;
    var in = std.Io.File.stdin().readerStreaming(init.io, &in_buffer);
    var out = std.Io.File.stdout().writerStreaming(init.io, &out_buffer);
    session.obey(&in.interface, &out.interface) catch |err| return if (err == error.Refused) refuse() else err;
    return exit_done;
}

fn refuse() u8 {
    std.debug.print("not supported: {s}: {s}\n", .{ failure.last.op, failure.last.errno });
    return exit_unsupported;
}

fn describe(io: std.Io) !u8 {
    var buffer: [4096]u8 = undefined;
    var out = std.Io.File.stdout().writerStreaming(io, &buffer);
    var json: std.json.Stringify = .{ .writer = &out.interface, .options = .{ .whitespace = .indent_1 } };
    try json.beginObject();
    inline for (.{
        .{ "protocol", 1 },
        .{ "driver", "zig" },
        .{ "language", "Zig" },
        .{ "runtime", "zig " ++ builtin.zig_version_string },
    }) |pair| {
        try json.objectField(pair[0]);
        try json.write(pair[1]);
    }
    try json.objectField("methods");
    try json.beginArray();
    for (&methods.table) |*method| try describeMethod(&json, method);
    try json.endArray();
    try json.endObject();
    try out.interface.writeByte('\n');
    try out.interface.flush();
    return exit_done;
}

fn describeMethod(json: *std.json.Stringify, method: *const methods.Method) !void {
    try json.beginObject();
    try json.objectField("name");
    try json.write(method.name);
    try json.objectField("operations");
    try json.beginArray();
    var actions = method.actions;
    var entries = actions.iterator();
    while (entries.next()) |entry| try json.write(@tagName(entry.key));
    try json.endArray();
    try json.objectField("does");
    try json.write(method.does);
    if (method.takes.len > 0) {
        try json.objectField("takes");
        try json.write(method.takes);
    }
    if (method.unavailable) |reason| {
        try json.objectField("unavailable");
        try json.write(reason);
    }
    try json.endObject();
}

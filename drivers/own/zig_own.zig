//! Functions of a user's file as methods: its public ones that take a path and, if they like, an
//! Allocator and an Io, in any order.

const std = @import("std");
const failure = @import("failure.zig");
const user = @import("own_source.zig");
const Failed = failure.Failed;
const Method = @import("methods.zig").Method;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub const table = methods: {
    @setEvalBranchQuota(100_000);
    var list: []const Method = &.{};
    for (@typeInfo(user).@"struct".decl_names) |name| {
        const value = @field(user, name);
        if (@typeInfo(@TypeOf(value)) != .@"fn" or std.mem.eql(u8, name, "main")) continue;
        list = list ++ &[_]Method{methodOf(name)};
    }
    break :methods list[0..list.len].*;
};

fn methodOf(comptime name: []const u8) Method {
    const function = @field(user, name);
    const reason = misfit(@TypeOf(function));
    return .{
        .name = name,
        .does = "fn " ++ name,
        .unavailable = reason,
        .actions = .init(.{ .@"read-whole" = .{ .perform = if (reason == null) Caller(function).perform else never } }),
    };
}

fn never(_: *Task, _: usize, _: u64, _: *Sink) Failed!void {}

fn isPath(comptime T: type) bool {
    return T == []const u8 or T == [:0]const u8;
}

/// The result without the errors.
fn Payload(comptime T: type) type {
    return switch (@typeInfo(T)) {
        .error_union => |of| of.payload,
        else => T,
    };
}

fn isCount(comptime T: type) bool {
    return @typeInfo(T) == .int;
}

fn misfit(comptime T: type) ?[]const u8 {
    const parameters = @typeInfo(T).@"fn".param_types;
    var paths: usize = 0;
    var allocates = false;
    for (parameters) |parameter| {
        const P = parameter orelse return "has type parameters";
        if (isPath(P)) paths += 1;
        if (P == std.mem.Allocator) allocates = true;
        if (!isPath(P) and P != std.mem.Allocator and P != std.Io) return "takes " ++ @typeName(P);
    }
    if (paths != 1) return std.fmt.comptimePrint("takes {d} paths", .{paths});
    const R = Payload(@typeInfo(T).@"fn".return_type orelse return "has type parameters");
    if (allocates and (R == []const u8 or R == [:0]const u8)) return "returns " ++ @typeName(R) ++ " beside an Allocator: []u8 would say that it is to be freed";
    return if (isCount(R) or R == []u8 or R == []const u8) null else "returns " ++ @typeName(R);
}

fn Caller(comptime function: anytype) type {
    const T = @TypeOf(function);
    const R = @typeInfo(T).@"fn".return_type.?;
    return struct {
        fn perform(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
            var arguments: std.meta.ArgsTuple(T) = undefined;
            var allocates = false;
            inline for (@typeInfo(T).@"fn".param_types, 0..) |parameter, i| {
                if (comptime isPath(parameter.?)) arguments[i] = task.paths[which];
                if (parameter.? == std.mem.Allocator) {
                    arguments[i] = task.gpa;
                    allocates = true;
                }
                if (parameter.? == std.Io) arguments[i] = task.io;
            }
            const called = @call(.auto, function, arguments);
            const result = if (@typeInfo(R) != .error_union) called else called catch |err| return fault(err, task.paths[which]);
            if (comptime isCount(@TypeOf(result))) {
                const count = std.math.cast(u64, result) orelse return fault(error.NegativeCount, task.paths[which]);
                return out.takeMatches(0, count);
            }
            defer if (@TypeOf(result) == []u8) {
                if (allocates) task.gpa.free(result);
            };
            out.take(result);
        }
    };
}

/// An error that is none of the system's keeps its name behind the path.
fn fault(err: anyerror, path: []const u8) Failed {
    const failed = failure.failed("function", err);
    if (std.mem.eql(u8, failure.last.errno, "EIO")) {
        var buffer: [std.posix.PATH_MAX + 100]u8 = undefined;
        failure.setPath(std.fmt.bufPrint(&buffer, "{s} ({t})", .{ path, err }) catch path);
    }
    return failed;
}

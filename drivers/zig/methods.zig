//! The list of methods that `describe` prints and `run` looks in. How each
//! method works stands in the file of its operation.

const std = @import("std");
const nothing = @import("nothing.zig");
const Action = @import("task.zig").Action;
const Operation = @import("operation.zig").Operation;

const Actions = std.EnumMap(Operation, Action);

/// One way to perform operations.
pub const Method = struct {
    name: []const u8,
    /// The calls a user of the language would write.
    does: []const u8,
    /// It takes absolute paths only.
    absolute: bool = false,
    /// Settings whose values, other than the default, it can do something with.
    takes: []const []const u8 = &.{},
    /// Why it cannot be performed here.
    unavailable: ?[]const u8 = null,
    actions: Actions,
};

pub fn find(name: []const u8) ?*const Method {
    for (&table) |*method| {
        if (std.mem.eql(u8, method.name, name)) return method;
    }
    return null;
}

const null_method: Method = .{
    .name = "null",
    .does = "everything but the I/O; for lines, search, hash and template also without the work: the answer was computed before",
    .actions = .init(.{
        .null = .{ .perform = nothing.perform },
        .@"open-close" = .{ .perform = nothing.perform },
        .@"open-missing" = .{ .perform = nothing.perform },
        .@"open-write-close" = .{ .perform = nothing.perform },
        .@"open-read-close" = .{ .perform = nothing.deliverStart, .hold = nothing.holdBytes },
        .@"read-whole" = .{ .perform = nothing.deliverWhole, .hold = nothing.holdBytes },
        .@"read-block" = .{ .perform = nothing.deliverBlock, .hold = nothing.holdBlocks },
        .lines = .{ .perform = nothing.deliverAnswer, .hold = nothing.holdLines },
        .search = .{ .perform = nothing.deliverAnswer, .hold = nothing.holdMatches },
        .hash = .{ .perform = nothing.deliverAnswer, .hold = nothing.holdHash },
        .create = .{
            .perform = nothing.deliverText,
            .phases = .{ .open = nothing.deliverText, .sync = nothing.perform, .close = nothing.perform },
        },
        .@"write-block" = .{ .perform = nothing.deliverPoolBlock },
        .copy = .{ .perform = nothing.deliverAnswer, .hold = nothing.holdCopy },
        .template = .{ .perform = nothing.deliverWhole, .hold = nothing.holdPage },
        .reload = .{ .perform = nothing.deliverWhole, .hold = nothing.holdBytes },
    }),
};

/// In the order of lists.
pub const table = @import("methods_opening.zig").table ++ @import("methods_reading.zig").table ++ @import("methods_writing.zig").table ++ [_]Method{null_method};

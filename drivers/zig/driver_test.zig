//! Tests of the parts that need no driver around them: `zig test driver_test.zig`.
//! The whole is tested by `fathom driver check`.

const std = @import("std");
const arguments = @import("arguments.zig");
const content = @import("content.zig");
const protocol = @import("protocol.zig");
const template = @import("template.zig");
const expectEqual = std.testing.expectEqual;

fn words(line: []const u8) protocol.Words {
    return std.mem.tokenizeScalar(u8, line, ' ');
}

test "an order is read whole or not at all" {
    var good = words("10 preroll=3 method=1");
    try expectEqual(protocol.Batch{ .method = 1, .count = 10, .preroll = 3 }, try protocol.parseBatch(&good, 2));
    for ([_][]const u8{ "", "x", "-1", "+1", "1_0", "1 2", "1 method=2", "1 method=", "1 speed=3", "99999999999999999999" }) |line| {
        var bad = words(line);
        try std.testing.expectError(error.Nonsense, protocol.parseBatch(&bad, 2));
    }
    try expectEqual(protocol.Batch{ .method = 0, .count = 5, .preroll = 2 }, try protocol.parseBlock("0:5:2", 1));
    for ([_][]const u8{ "", "0:1", "0:1:2:3", "1:1:0", "a:1:0" }) |word| {
        try std.testing.expectError(error.Nonsense, protocol.parseBlock(word, 1));
    }
}

test "wrong arguments are refused" {
    var arena: std.heap.ArenaAllocator = .init(std.testing.allocator);
    defer arena.deinit();
    const run = [_][:0]const u8{ "--operation", "search", "--method", "null", "--path", "f" };
    const plan = try arguments.parse(arena.allocator(), &run);
    try expectEqual(65536, plan.block);
    try std.testing.expectEqualStrings("ERROR", plan.word);
    for ([_][2][:0]const u8{ .{ "--word", "" }, .{ "--threads", "0" }, .{ "--block", "0" }, .{ "--size", "-1" }, .{ "--operation", "hash" }, .{ "--method", "none" }, .{ "--method", "mmap" }, .{ "--seed", "1x" }, .{ "--no-such", "1" } }) |more| {
        try std.testing.expectError(error.WrongArguments, arguments.parse(arena.allocator(), &(run ++ more)));
    }
}

test "what a method cannot do is refused" {
    var arena: std.heap.ArenaAllocator = .init(std.testing.allocator);
    defer arena.deinit();
    const refused = [_][]const [:0]const u8{
        &.{ "--operation", "write-block", "--method", "std.Io.File.Writer", "--directory", "d", "--size", "9999", "--block", "100" },
        &.{ "--operation", "copy", "--method", "std.Io.Dir.copyFile", "--path", "f", "--directory", "d", "--sync", "fsync" },
        &.{ "--operation", "read-block", "--method", "mmap", "--path", "f", "--size", "9999", "--block", "100", "--threads", "2" },
        &.{ "--operation", "read-block", "--method", "mmap", "--path", "f", "--size", "9999", "--block", "100", "--queue-depth", "2" },
    };
    for (refused) |run| try std.testing.expectError(error.NotSupported, arguments.parse(arena.allocator(), run));
    const wrong = [_][]const [:0]const u8{
        &.{ "--operation", "create", "--method", "null" },
        &.{ "--operation", "create", "--method", "null", "--directory", "d", "--close", "never" },
        &.{ "--operation", "write-block", "--method", "null", "--directory", "d", "--size", "9999999", "--block", "1048577" },
    };
    for (wrong) |run| try std.testing.expectError(error.WrongArguments, arguments.parse(arena.allocator(), run));
}

test "blocks walk through the pool, and are those of the protocol" {
    var arena: std.heap.ArenaAllocator = .init(std.testing.allocator);
    defer arena.deinit();
    const plan = try arguments.parse(arena.allocator(), &.{ "--operation", "write-block", "--method", "null", "--directory", "d", "--size", "9999999", "--seed", "0" });
    const made: content.Content = try .init(arena.allocator(), &plan);
    try expectEqual(1 << 20, made.pool.len);
    try expectEqual(0xE220A8397B1DCDAF, std.mem.readInt(u64, made.pool[0..8], .little));
    for ([_]usize{ 1, 1000, 4096, 65536, (1 << 19) + 1, 1 << 20 }) |block| {
        const count = made.pool.len / block;
        var blocks: content.Blocks = .init(made.pool, block, 7);
        for (7..7 + 2 * @as(usize, @min(count, 2000))) |k| {
            const data = blocks.next();
            try expectEqual(block, data.len);
            try expectEqual(k % count * block, data.ptr - made.pool.ptr);
        }
    }
    var text: [20]u8 = undefined;
    content.fillPattern(&text);
    try std.testing.expectEqualStrings("fathom pattern.\nfath", &text);
}

test "a page has its fields replaced and the rest kept" {
    for ([_][2][]const u8{
        .{ "", "" },
        .{ "{{.Name}}{{.Number}}", "fathom42" },
        .{ "a {{.Name}}, {{.Other}} {{{.Number}} {{", "a fathom, {{.Other}} {42 {{" },
    }) |case| {
        const page = try template.render(std.testing.allocator, case[0]);
        defer std.testing.allocator.free(page);
        try std.testing.expectEqualStrings(case[1], page);
    }
}

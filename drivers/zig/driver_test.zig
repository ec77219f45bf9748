//! Tests of the parts that need no driver around them: `zig test driver_test.zig`.
//! The whole is tested by `fathom driver check`.

const std = @import("std");
const arguments = @import("arguments.zig");
const content = @import("content.zig");
const hash = @import("hash.zig");
const methods = @import("methods.zig");
const offsets = @import("offsets.zig");
const protocol = @import("protocol.zig");
const template = @import("template.zig");
const Sink = @import("sink.zig").Sink;
const occurrences = @import("search.zig").occurrences;
const takeLines = @import("lines.zig").takeLines;
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

test "offsets lie in the file, and are those of the protocol" {
    // The first two numbers of the published splitmix64 for seed 0.
    try expectEqual(0xE220A8397B1DCDAF, offsets.splitmix64(0));
    try expectEqual(0x6E789E6AA1B965F4, offsets.splitmix64(0x9E3779B97F4A7C15));
    var arena: std.heap.ArenaAllocator = .init(std.testing.allocator);
    defer arena.deinit();
    var plan = try arguments.parse(arena.allocator(), &.{ "--operation", "read-block", "--method", "null", "--path", "f", "--size", "10001", "--block", "1000" });
    for ([_]arguments.Plan.Access{ .random, .sequential }) |access| {
        for ([_]arguments.Plan.Alignment{ .aligned, .unaligned }) |alignment| {
            plan.access = access;
            plan.alignment = alignment;
            for (0..500) |k| {
                const offset = offsets.offset(&plan, k);
                try std.testing.expect(offset + 1000 <= 10001);
                if (alignment == .aligned) try expectEqual(0, offset % 1000);
            }
        }
    }
    try expectEqual(1001, offsets.offset(&plan, 11));
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

test "hashes are the published ones" {
    for ([_]struct { []const u8, arguments.Plan.Algorithm, u64 }{
        .{ "", .md5, 0xd41d8cd98f00b204 },
        .{ "abc", .md5, 0x900150983cd24fb0 },
        .{ "", .xxh64, 0xef46db3751d8e999 },
        .{ "abc", .xxh64, 0x44bc2cf5ad770999 },
    }) |case| {
        var out: Sink = .{};
        hash.hashMemory(case[1], case[0], &out);
        try expectEqual(case[2], out.digest);
        try expectEqual(case[0].len, out.bytes);
    }
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

test "pieces of any length make one digest" {
    var data: [20_000]u8 = undefined;
    for (&data, 0..) |*byte, i| byte.* = @truncate(i / 4096 + i % 7);
    var whole: Sink = .full();
    whole.take(&data);
    for ([_]usize{ 1, 7, 4095, 4096, 4097 }) |length| {
        var pieces: Sink = .full();
        var rest: []const u8 = &data;
        while (rest.len > 0) {
            const n = @min(length, rest.len);
            pieces.take(rest[0..n]);
            rest = rest[n..];
        }
        try expectEqual(whole.digest, pieces.digest);
        try expectEqual(whole.crc.?.final(), pieces.crc.?.final());
    }
    var check: Sink = .full();
    check.take("123456789");
    try expectEqual(0xCBF43926, check.crc.?.final());
}

test "a last line needs no newline" {
    for ([_]struct { []const u8, u64, u64 }{ .{ "", 0, 0 }, .{ "\n", 1, 0 }, .{ "a", 1, 1 }, .{ "a\n", 1, 1 }, .{ "a\n\nbc", 3, 3 } }) |case| {
        var out: Sink = .{};
        takeLines(case[0], &out);
        try expectEqual(case[1], out.count);
        try expectEqual(case[2], out.bytes);
    }
}

test "a word is found wherever it stands" {
    try expectEqual(0, occurrences("", "ERROR"));
    try expectEqual(2, occurrences("ERRORERROR", "ERROR"));
    try expectEqual(2, occurrences("aaa", "aa"));
    try expectEqual(1, occurrences("ERERROR", "ERROR"));
}

test "null performs every operation that any method performs" {
    const nothing = methods.find("null").?;
    for (&methods.table) |method| {
        var actions = method.actions;
        var entries = actions.iterator();
        while (entries.next()) |entry| try std.testing.expect(nothing.actions.contains(entry.key));
    }
}

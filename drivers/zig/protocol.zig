//! The lines on standard input: their grammar. What they cause stands in session.zig.

const std = @import("std");
const digits = @import("arguments.zig").digits;

pub const Nonsense = error{Nonsense};

/// One order to perform operations.
pub const Batch = struct {
    method: usize = 0,
    count: u64,
    preroll: u64 = 0,
};

pub const Words = std.mem.TokenIterator(u8, .scalar);

/// Reads the words after `batch`.
pub fn parseBatch(words: *Words, methods: usize) Nonsense!Batch {
    var batch: Batch = .{ .count = try number(words.next() orelse return error.Nonsense) };
    while (words.next()) |word| {
        if (std.mem.cutPrefix(u8, word, "method=")) |value| {
            batch.method = try methodNumber(value, methods);
        } else if (std.mem.cutPrefix(u8, word, "preroll=")) |value| {
            batch.preroll = try number(value);
        } else return error.Nonsense;
    }
    return batch;
}

/// Reads one K:N:P of the words after `blocks`.
pub fn parseBlock(word: []const u8, methods: usize) Nonsense!Batch {
    var numbers = std.mem.splitScalar(u8, word, ':');
    const method = numbers.first();
    const count = numbers.next() orelse return error.Nonsense;
    const preroll = numbers.next() orelse return error.Nonsense;
    if (numbers.next() != null) return error.Nonsense;
    return .{ .method = try methodNumber(method, methods), .count = try number(count), .preroll = try number(preroll) };
}

/// Reads the words after `verify`.
pub fn parseVerify(words: *Words, methods: usize) Nonsense!usize {
    const word = words.next() orelse return 0;
    if (words.next() != null) return error.Nonsense;
    const value = std.mem.cutPrefix(u8, word, "method=") orelse return error.Nonsense;
    return methodNumber(value, methods);
}

fn methodNumber(text: []const u8, methods: usize) Nonsense!usize {
    const value = try number(text);
    return if (value < methods) @intCast(value) else error.Nonsense;
}

/// 62 bits, so that a count and its pre-roll can be added.
fn number(text: []const u8) Nonsense!u64 {
    return digits(u62, text) orelse error.Nonsense;
}

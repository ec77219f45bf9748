//! What the operations that write put into their files: the protocol's text and
//! its pool of blocks. Made once, before any clock starts.

const std = @import("std");
const Plan = @import("arguments.zig").Plan;
const splitmix64 = @import("offsets.zig").splitmix64;

/// Blocks are taken from a pool of this size, and can be no longer.
pub const pool_bytes = 1 << 20;

pub const Content = struct {
    /// What `create` writes into each file.
    text: []const u8 = "",
    /// Where `write-block` takes its blocks from.
    pool: []const u8 = "",

    pub fn init(arena: std.mem.Allocator, plan: *const Plan) std.mem.Allocator.Error!Content {
        switch (plan.operation) {
            .create => {
                const text = try arena.alloc(u8, plan.write);
                fillPattern(text);
                return .{ .text = text };
            },
            .@"write-block" => {
                const pool = try arena.alloc(u8, pool_bytes);
                switch (plan.content) {
                    .random => fillRandom(pool, plan.seed),
                    .pattern => fillPattern(pool),
                }
                return .{ .pool = pool };
            },
            else => return .{},
        }
    }
};

/// Walks through the blocks of a pool, which it does without a division.
pub const Blocks = struct {
    pool: []const u8,
    block: usize,
    start: usize,

    /// The first block is that of operation number `first`.
    pub fn init(pool: []const u8, block: usize, first: u64) Blocks {
        const count = @max(1, pool.len / block);
        return .{ .pool = pool, .block = block, .start = @as(usize, @intCast(first % count)) * block };
    }

    pub fn next(blocks: *Blocks) []const u8 {
        const data = blocks.pool[blocks.start..][0..blocks.block];
        blocks.start += blocks.block;
        if (blocks.start + blocks.block > blocks.pool.len) blocks.start = 0;
        return data;
    }
};

/// The 16 bytes of the pattern, repeated.
pub fn fillPattern(memory: []u8) void {
    const pattern = "fathom pattern.\n";
    for (memory, 0..) |*byte, i| byte.* = pattern[i % pattern.len];
}

fn fillRandom(memory: []u8, seed: u64) void {
    for (0..memory.len / 8) |i| std.mem.writeInt(u64, memory[i * 8 ..][0..8], splitmix64(seed +% i), .little);
}

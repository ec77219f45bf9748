//! The words for operations. What they mean stands in PROTOCOL.md.

/// One logical file action; its tag is its word.
pub const Operation = enum {
    null,
    @"open-close",
    @"open-write-close",
    @"open-read-close",
    @"read-whole",
    @"read-block",
    lines,
    search,
    hash,

    /// The key of the further figure that counts what was found.
    pub fn counted(operation: Operation) ?[]const u8 {
        return switch (operation) {
            .lines => "lines",
            .search => "matches",
            else => null,
        };
    }
};

//! The words for operations. What they mean stands in PROTOCOL.md.

/// One logical file action; its tag is its word.
pub const Operation = enum {
    null,
    @"open-close",
    @"open-missing",
    @"open-write-close",
    @"open-read-close",
    @"read-whole",
    @"read-block",
    lines,
    search,
    hash,
    create,
    @"write-block",
    copy,
    template,
    reload,

    /// The key of the further figure that counts what was found.
    pub fn counted(operation: Operation) ?[]const u8 {
        return switch (operation) {
            .lines => "lines",
            .search => "matches",
            else => null,
        };
    }

    /// True where it makes files in the directory it is given.
    pub fn writes(operation: Operation) bool {
        return switch (operation) {
            .create, .@"write-block", .copy => true,
            else => false,
        };
    }

    /// True where each of its numbers has an offset in the file.
    pub fn hasOffsets(operation: Operation) bool {
        return operation == .@"read-block" or operation == .@"write-block";
    }
};

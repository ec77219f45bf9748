//! The operations by which V8 notes what Maglev's code stands for, in each version.

/// The operations of a version.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Operations {
    /// How many operands each has. The first two are frames of functions, the next two those of V8's own in
    /// JavaScript; the last one repeats what was said of an earlier call.
    pub(super) operands: &'static [u8],
    /// The first of two that begin a call's translation.
    pub(super) begin: u8,
}

/// Those of V8 13.6.
static OPERATIONS: Operations = Operations {
    operands: &[
        6, 4, 3, 3, 2, 1, 3, 4, 3, 3, 3, 1, 0, 0, 3, 3, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 0, 1, 1, 1, 1, 1, 2, 1,
    ],
    begin: 14,
};

/// The operations of a version; `None` where they are not known, or `Node.js` has no Maglev in it.
pub(super) fn operations(version: (u32, u32)) -> Option<&'static Operations> {
    (version == (13, 6)).then_some(&OPERATIONS)
}

//! Where Ruby keeps what leads from a thread to its frames: bytes from the beginning of what holds them,
//! in builds of 64 bits. They are the same in all releases of 3.0, of 3.1 and of 3.2; 3.0.2, 3.1.2 and
//! 3.2.3 were tried.

#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) context_stack: u64,
    pub(super) context_stack_words: u64,
    pub(super) context_frame: u64,
    pub(super) context_thread: u64,
    pub(super) thread_context: u64,
    pub(super) frame_bytes: usize,
    pub(super) frame_instruction: u64,
    pub(super) frame_code: u64,
    pub(super) body_words: u64,
    pub(super) body_instructions: u64,
    pub(super) body_location: u64,
    pub(super) body_lines: u64,
    pub(super) location_path: u64,
    pub(super) location_label: u64,
    /// Of an entry of the table of lines, which begins with the line.
    pub(super) line_bytes: u64,
    /// A text that lies in its object has its length among the object's flags.
    pub(super) short_lengths_in_flags: bool,
}

const OF_3_0: Layout = Layout {
    context_stack: 0,
    context_stack_words: 8,
    context_frame: 16,
    context_thread: 56,
    thread_context: 40,
    frame_bytes: 56,
    frame_instruction: 0,
    frame_code: 16,
    body_words: 4,
    body_instructions: 8,
    body_location: 64,
    body_lines: 120,
    location_path: 0,
    location_label: 16,
    line_bytes: 8,
    short_lengths_in_flags: true,
};

const OF_3_1: Layout = Layout { context_thread: 48, frame_bytes: 64, line_bytes: 12, ..OF_3_0 };

const OF_3_2: Layout =
    Layout { thread_context: 48, body_lines: 112, short_lengths_in_flags: false, ..OF_3_1 };

impl Layout {
    /// That of a version, by the text of it: `3.1.2`.
    pub(super) fn of(version: &str) -> Option<&'static Self> {
        match version.rsplit_once('.')?.0 {
            "3.0" => Some(&OF_3_0),
            "3.1" => Some(&OF_3_1),
            "3.2" => Some(&OF_3_2),
            _ => None,
        }
    }
}

//! Calls whose lines were torn by what else was printed to the same place.

use super::{Assembly, Head, Text};
use crate::strace_log::line;
use crate::strace_log::notes::NoteKind;
use crate::strace_log::threads::Pending;
use fathom_events::PathTable;

/// A call whose line ends too early: something else was printed into it.
#[derive(Debug)]
pub(super) struct Torn {
    pub(super) thread: u32,
    pub(super) at_ns: u64,
    pub(super) pending: Pending,
}

impl Assembly {
    pub(super) fn tear(&mut self, head: &Head<'_, '_>, call: &Text<'_>) {
        let pending = call.pending(call.arguments, self.line);
        self.torn = Some(Torn { thread: call.thread, at_ns: head.at_ns, pending });
    }

    /// Takes the rest of a call whose line something else was printed into.
    pub(super) fn continue_torn(&mut self, text: &[u8], paths: &mut PathTable) -> bool {
        let Some(torn) = &self.torn else { return false };
        let rest = text.trim_ascii_start();
        let may_continue =
            matches!(rest.first(), Some(b')' | b',' | b'=')) || rest.starts_with(b"<unfinished ...>");
        if !may_continue || (memchr::memchr(b'=', text).is_none() && line::unfinished(text).is_none()) {
            return false;
        }
        let mut joined = torn.pending.text.clone();
        joined.extend_from_slice(text);
        if line::unfinished(&joined).is_none() && !line::has_ending(&joined) {
            return false;
        }
        let Some(Torn { thread, at_ns, pending }) = self.torn.take() else { return false };
        let mut head = Head { number: None, at_ns, is_return: false, text, paths };
        self.take_call(
            &mut head,
            &Text { thread, call: pending.call, arguments: &joined, child: pending.child },
        );
        true
    }

    pub(super) fn give_up_torn(&mut self) {
        if let Some(torn) = self.torn.take() {
            self.notes.add(torn.pending.line, NoteKind::Cut, &torn.pending.text);
        }
    }
}

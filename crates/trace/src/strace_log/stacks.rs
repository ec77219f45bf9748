//! Stacks that `-k` prints after calls, each kept once, up to a bound.

use fathom_events::StackId;
use std::collections::HashMap;
use std::rc::Rc;

/// Most distinct stacks that are kept.
const MOST_STACKS: usize = 1 << 16;

/// Most bytes of their text that are kept.
const MOST_BYTES: usize = 64 << 20;

/// A frame of a stack, as strace printed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// The file that the code is from: `/lib/libc.so.6`.
    pub object: String,
    /// The function, where a symbol was found.
    pub function: Option<String>,
    /// Where in the function, or in the object where there is none, in bytes.
    pub offset_bytes: Option<u64>,
    /// The address.
    pub address: Option<u64>,
    /// File and line, where strace was asked for them (`-kk`).
    pub source: Option<String>,
}

/// The stacks of a log.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    texts: Vec<Rc<[u8]>>,
    numbers: HashMap<Rc<[u8]>, StackId>,
    bytes: usize,
}

impl Stacks {
    /// The number of a stack, its lines joined; `None` when no more are kept.
    pub(super) fn number(&mut self, text: &[u8]) -> Option<StackId> {
        if let Some(known) = self.numbers.get(text) {
            return Some(*known);
        }
        if self.texts.len() == MOST_STACKS || self.bytes + text.len() > MOST_BYTES {
            return None;
        }
        let number = StackId(u32::try_from(self.texts.len()).ok()?);
        let text: Rc<[u8]> = Rc::from(text);
        self.bytes += text.len();
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, number);
        Some(number)
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }

    /// The frames of a stack, the innermost first.
    pub(super) fn frames(&self, stack: StackId) -> Vec<StackFrame> {
        let text = self.texts.get(stack.0 as usize).map_or(&b""[..], |text| text);
        text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(frame).collect()
    }
}

/// Reads ` > /lib/libc.so.6(__read+0x4d) [0x10e32d] read.c:26`.
fn frame(line: &[u8]) -> StackFrame {
    let text = String::from_utf8_lossy(line);
    let text = text.trim().trim_start_matches("> ");
    let (place, after) = match text.rsplit_once(" [") {
        Some((place, after)) => (place, after),
        None => (text, ""),
    };
    let (address, source) = after.split_once(']').unwrap_or((after, ""));
    let (object, symbol) = match place.strip_suffix(')').and_then(|place| split_symbol(place)) {
        Some((object, symbol)) => (object, symbol),
        None => (place, ""),
    };
    let (function, offset) = match symbol.rsplit_once('+') {
        Some((function, offset)) if !function.is_empty() => (Some(function), hexadecimal(offset)),
        _ => ((!symbol.is_empty()).then_some(symbol), None),
    };
    StackFrame {
        object: object.to_owned(),
        function: function.map(str::to_owned),
        offset_bytes: offset,
        address: hexadecimal(address),
        source: Some(source.trim()).filter(|source| !source.is_empty()).map(str::to_owned),
    }
}

/// Object and symbol: the symbol's own parentheses, `f(int)`, are paired.
fn split_symbol(place: &str) -> Option<(&str, &str)> {
    let mut depth = 0_u32;
    for (at, letter) in place.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' if depth == 0 => return Some((&place[..at], &place[at + 1..])),
            '(' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_form() {
        let mut stacks = Stacks::default();
        let text = b" > /lib/libc.so.6(__read+0x4d) [0x10e32d]\n > /bin/a(f(int, char)+0x1) [0x2] a.c:9\n \
            > /bin/b() [0x3]\n > unexpected_backtracing_error [0x7f]\n";
        let stack = stacks.number(text).unwrap();
        assert_eq!(stacks.number(text), Some(stack));
        let frames = stacks.frames(stack);
        let shown: Vec<_> = frames
            .iter()
            .map(|frame| {
                (frame.object.as_str(), frame.function.as_deref(), frame.offset_bytes, frame.address)
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("/lib/libc.so.6", Some("__read"), Some(0x4d), Some(0x10_e32d)),
                ("/bin/a", Some("f(int, char)"), Some(1), Some(2)),
                ("/bin/b", None, None, Some(3)),
                ("unexpected_backtracing_error", None, None, Some(0x7f)),
            ]
        );
        assert_eq!(frames[1].source.as_deref(), Some("a.c:9"));
        assert_eq!(stacks.frames(StackId(99)), []);
    }
}

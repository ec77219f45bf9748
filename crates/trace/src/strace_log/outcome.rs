//! What follows a call's arguments: its result, and how long it took.

use super::constants;
use super::value::number;
use fathom_events::CallOutcome;
use memchr::memmem;

/// How a call ended, as printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ending {
    /// What came of it.
    pub(super) outcome: CallOutcome,
    /// How long it took, in ns, where that is printed (`-T`).
    pub(super) duration_ns: Option<u64>,
    /// Its end is missing.
    pub(super) cut: bool,
}

/// Reads `  = 3</etc/hosts> <0.000012>`.
pub(super) fn ending(after_arguments: &[u8]) -> Option<Ending> {
    let text = after_arguments.trim_ascii().strip_prefix(b"=")?.trim_ascii();
    let (outcome, rest) = outcome(text)?;
    let ends = [&b")"[..], b">", b"]", b"*/"];
    let whole = rest.is_empty() || ends.iter().any(|end| rest.ends_with(end));
    Some(Ending { outcome, duration_ns: duration_ns(rest), cut: !whole })
}

/// Seconds with a fraction, in ns.
pub(super) fn seconds_as_ns(text: &[u8]) -> Option<u64> {
    let dot = memchr::memchr(b'.', text);
    let whole = &text[..dot.unwrap_or(text.len())];
    let fraction = dot.map_or(&b""[..], |dot| &text[dot + 1..]);
    let is_number = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    if whole.is_empty() || whole.len() > 10 || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let decimal = |digits: &[u8]| digits.iter().fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    let shown = &fraction[..fraction.len().min(9)];
    let scale = (shown.len()..9).fold(1, |scale, _| scale * 10);
    Some(decimal(whole) * 1_000_000_000 + decimal(shown) * scale)
}

/// The outcome and what follows it.
fn outcome(text: &[u8]) -> Option<(CallOutcome, &[u8])> {
    let (word, rest) = first_word(text);
    match word {
        b"?" => {
            let (name, after) = first_word(rest);
            Some(match constants::errno(name) {
                Some(errno) => (CallOutcome::Failed(errno), after),
                None if name == b"<unavailable>" => (CallOutcome::Unknown, after),
                None => (CallOutcome::Unfinished, rest),
            })
        }
        b"-1" => {
            let (name, after) = first_word(rest);
            let numbered = || rest.strip_prefix(b"(errno ").and_then(number);
            let errno = constants::errno(name).or_else(|| i32::try_from(numbered()?).ok());
            errno
                .map(|errno| (CallOutcome::Failed(errno), after))
                .or(name.is_empty().then_some((CallOutcome::Unknown, rest)))
        }
        _ => {
            let seen =
                memmem::find(rest, b"/* ").filter(|_| memmem::find(rest, b"strace's PID NS").is_some());
            let value = seen.and_then(|at| number(&rest[at + 3..])).or_else(|| number(word))?;
            Some((CallOutcome::Value(value.cast_signed()), rest))
        }
    }
}

/// A number with what `-y` says of it, or a name; and the rest.
fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    let is_end = |byte: &u8| *byte == b' ' || *byte == b'<';
    let start = usize::from(text.first() == Some(&b'<'));
    let end = text[start..].iter().position(is_end).map_or(text.len(), |end| start + end);
    (&text[..end], text[end..].trim_ascii_start())
}

fn duration_ns(rest: &[u8]) -> Option<u64> {
    let inner = rest.strip_suffix(b">")?;
    let open = memchr::memrchr(b'<', inner)?;
    seconds_as_ns(&inner[open + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, outcome: CallOutcome, duration_ns: impl Into<Option<u64>>, cut: bool) {
        let duration_ns = duration_ns.into();
        let ending = ending(text.as_bytes()).expect(text);
        assert_eq!((ending.outcome, ending.duration_ns, ending.cut), (outcome, duration_ns, cut), "{text}");
    }

    #[test]
    fn endings_of_every_form() {
        use CallOutcome::{Failed, Unfinished, Unknown, Value};
        check("                 = 3", Value(3), None, false);
        check(" = 3</etc/hosts> <0.000012>", Value(3), 12_000, false);
        check("= 0x7f0000001000", Value(0x7f00_0000_1000), None, false);
        check(" = 0x8002 (flags O_RDWR|O_LARGEFILE)", Value(0x8002), None, false);
        check(" = 022", Value(0o22), None, false);
        check(" = 5 /* 4242 in strace's PID NS */", Value(4242), None, false);
        check(" = 29483<files>", Value(29483), None, false);
        check(" = -1 ENOENT (No such file or directory) <0.000000123>", Failed(2), 123, false);
        check(" = -1 (errno 38)", Failed(38), None, false);
        check(" = ? ERESTARTSYS (To be restarted if SA_RESTART is set)", Failed(512), None, false);
        check(" = ?", Unfinished, None, false);
        check(" = ? <unavailable>", Unknown, None, false);
        check(" = 0 (INJECTED)", Value(0), None, false);
        check(" = 3</etc/hosts> [system_u:object_r:net_conf_t:s0]", Value(3), None, false);
    }

    #[test]
    fn an_ending_without_its_end_is_told() {
        check(" = -1 ENOENT (No su", CallOutcome::Failed(2), None, true);
        check(" = 3</etc/ho", CallOutcome::Value(3), None, true);
        check(" = 3 <0.0000", CallOutcome::Value(3), None, true);
        assert_eq!([ending(b""), ending(b" ="), ending(b" = -1 EN"), ending(b" = x")], [None; 4]);
    }
}

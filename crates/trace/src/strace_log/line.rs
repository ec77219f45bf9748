//! One line of a log: whose it is, when it was, and what kind of line.

use super::outcome::seconds_as_ns;
use super::value::number;
use memchr::{memchr, memmem, memrchr};

/// Numbers above are no process's but seconds since the epoch.
const LARGEST_PROCESS: u64 = 1 << 22;

/// When a line was printed, as it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// It does not say.
    None,
    /// Since midnight (`-t`, `-tt`), in ns.
    TimeOfDay(u64),
    /// Since the epoch (`-ttt`), in ns.
    Epoch(u64),
    /// Since the line before (`-r`), in ns.
    SinceLast(u64),
}

/// A line taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// The thread, where the line names it.
    pub(super) thread: Option<u32>,
    /// When it was printed.
    pub(super) stamp: Stamp,
    /// The rest.
    pub(super) body: Body<'a>,
}

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body<'a> {
    /// A call; what follows the opening parenthesis.
    Call(&'a [u8], &'a [u8]),
    /// The rest of a call that another thread's lines interrupted.
    Resumed(&'a [u8], &'a [u8]),
    /// A signal or a stop.
    Signal,
    /// The thread ended with this code; `None` by a signal.
    Ended(Option<i32>),
    /// The thread is no more: that one took its number by `execve`.
    Superseded(u32),
    /// strace speaks: it follows this thread now.
    Attached(u32),
    /// strace speaks of something else.
    Remark,
    /// Nothing that strace prints.
    Foreign,
}

/// Takes a line apart.
pub(super) fn line(text: &[u8]) -> Line<'_> {
    let mut rest = text;
    let thread = take_thread(&mut rest);
    let stamp = take_stamp(&mut rest);
    // What `-n`, `-i` and `--secontext` print: the call's number, an address, a label.
    while let Some(after) = rest.strip_prefix(b"[") {
        let Some(close) = memchr(b']', after).filter(|close| is_bracketed(&after[..*close])) else { break };
        rest = after[close + 1..].trim_ascii_start();
    }
    Line { thread, stamp, body: body(rest) }
}

/// True for a line of a stack (`-k`).
pub(super) fn is_frame(text: &[u8]) -> bool {
    text.starts_with(b" > ")
}

/// The text before ` <unfinished ...>` at a line's end, or before what else strace
/// says of a call that goes on elsewhere.
pub(super) fn unfinished(text: &[u8]) -> Option<&[u8]> {
    let before = text.strip_suffix(b" ...>")?;
    let open = memrchr(b'<', before)?;
    let said = &before[open + 1..];
    let goes_on = said == b"unfinished" || said == b"detached" || said.starts_with(b"pid changed to ");
    goes_on.then(|| text[..open].trim_ascii_end())
}

/// The text before what strace said of a thread in the midst of a call, and the
/// thread where it is a new one.
pub(super) fn before_remark(text: &[u8]) -> Option<(&[u8], Option<u32>)> {
    let is_remark = [&b" attached"[..], b" attached (waiting for parent)", b" ready)", b" detached"];
    if !is_remark.iter().any(|end| text.ends_with(end)) {
        return None;
    }
    let process = memmem::rfind(text, b"Process ")?;
    let before = text[..process].strip_suffix(b"strace: ").unwrap_or(&text[..process]);
    Some((before, attached(&text[process..])))
}

/// True when a call's line has an end: `) = …`.
pub(super) fn has_ending(text: &[u8]) -> bool {
    let mut end = text.len();
    while let Some(equals) = memrchr(b'=', &text[..end]) {
        if text[..equals].trim_ascii_end().ends_with(b")") {
            return true;
        }
        end = equals;
    }
    false
}

fn body(text: &[u8]) -> Body<'_> {
    match text.first() {
        Some(b'<') => resumed(text).unwrap_or(Body::Foreign),
        Some(b'-') if text.starts_with(b"--- ") => Body::Signal,
        Some(b'+') if text.starts_with(b"+++ ") => ended(&text[4..]),
        Some(b'a'..=b'z' | b'_') if !text.starts_with(b"strace: ") => {
            let is_name = |byte: &&u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || **byte == b'_';
            let length = text.iter().take_while(is_name).count();
            match text.get(length) {
                Some(b'(') => Body::Call(&text[..length], &text[length + 1..]),
                _ => Body::Foreign,
            }
        }
        _ => remark(text),
    }
}

fn is_bracketed(inner: &[u8]) -> bool {
    let is_place = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b' ' || *byte == b'?';
    let is_label = || inner.contains(&b':') && !inner.contains(&b' ');
    !inner.is_empty() && (inner.iter().all(is_place) || is_label())
}

/// `<... read resumed>"abc", 3) = 3`; old versions write `<... read resumed> )`.
fn resumed(text: &[u8]) -> Option<Body<'_>> {
    let rest = text.strip_prefix(b"<... ")?;
    let space = memchr(b' ', rest)?;
    let after = rest[space..].strip_prefix(b" resumed>")?;
    Some(Body::Resumed(&rest[..space], after))
}

fn ended(text: &[u8]) -> Body<'_> {
    if let Some(code) = text.strip_prefix(b"exited with ") {
        let code = number(code).and_then(|code| i32::try_from(code).ok());
        return code.map_or(Body::Foreign, |code| Body::Ended(Some(code)));
    }
    if let Some(by) = text.strip_prefix(b"superseded by execve in pid ") {
        return thread_number(by).map_or(Body::Foreign, Body::Superseded);
    }
    if text.starts_with(b"killed by ") { Body::Ended(None) } else { Body::Remark }
}

fn remark(text: &[u8]) -> Body<'_> {
    let said = text.strip_prefix(b"strace: ");
    if let Some(thread) = attached(said.unwrap_or(text)) {
        return Body::Attached(thread);
    }
    // Of programs of other bitness, what old versions say of threads, and of a
    // thread that was left between calls.
    let known = [&b"[ Process PID="[..], b"Process ", b"???( <"];
    if said.is_some() || known.iter().any(|beginning| text.starts_with(beginning)) {
        Body::Remark
    } else {
        Body::Foreign
    }
}

/// `Process 42 attached`, or with old versions `Process 42 attached (waiting for parent)`.
fn attached(text: &[u8]) -> Option<u32> {
    let rest = text.strip_prefix(b"Process ")?;
    let space = memchr(b' ', rest)?;
    rest[space..].starts_with(b" attached").then(|| thread_number(rest)).flatten()
}

/// Takes `[pid  42] `, `42  ` or `42<name> ` off.
fn take_thread(rest: &mut &[u8]) -> Option<u32> {
    if let Some(inner) = rest.strip_prefix(b"[pid ") {
        let inner = inner.trim_ascii_start();
        let thread = thread_number(inner)?;
        let close = if after_digits(inner).starts_with(b"<") {
            memmem::find(inner, b">]")? + 1
        } else {
            memchr(b']', inner)?
        };
        *rest = inner[close + 1..].trim_ascii_start();
        return Some(thread);
    }
    let after = after_digits(rest);
    let length = rest.len() - after.len();
    if length == 0 || length > 7 {
        return None;
    }
    let end = match after.first()? {
        b' ' => length,
        b'<' => length + memmem::find(after, b"> ")? + 1,
        _ => return None,
    };
    let thread = thread_number(rest)?;
    *rest = rest[end..].trim_ascii_start();
    Some(thread)
}

fn take_stamp(rest: &mut &[u8]) -> Stamp {
    let text = rest.trim_ascii_start();
    if !text.first().is_some_and(u8::is_ascii_digit) {
        return Stamp::None;
    }
    let Some(space) = memchr(b' ', text) else { return Stamp::None };
    let Some(stamp) = stamp(&text[..space]) else { return Stamp::None };
    let after = text[space..].trim_ascii_start();
    // Both times, with `-r` and `-t`: `12:00:00 (+     0.000012) `.
    let relative = after.strip_prefix(b"(+").and_then(|inner| Some(&inner[memchr(b')', inner)? + 1..]));
    *rest = relative.unwrap_or(after).trim_ascii_start();
    stamp
}

fn stamp(token: &[u8]) -> Option<Stamp> {
    if let [h, hh, b':', m, mm, b':', seconds @ ..] = token {
        let two = |tens: u8, ones: u8| {
            let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
            are_digits.then(|| u64::from(tens - b'0') * 10 + u64::from(ones - b'0'))
        };
        let minutes = two(*h, *hh)? * 60 + two(*m, *mm)?;
        return Some(Stamp::TimeOfDay(minutes * 60_000_000_000 + seconds_as_ns(seconds)?));
    }
    let ns = seconds_as_ns(token)?;
    Some(if ns / 1_000_000_000 > LARGEST_PROCESS { Stamp::Epoch(ns) } else { Stamp::SinceLast(ns) })
}

fn after_digits(text: &[u8]) -> &[u8] {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    &text[length..]
}

fn thread_number(text: &[u8]) -> Option<u32> {
    let value = number(text).filter(|value| *value <= LARGEST_PROCESS)?;
    u32::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, thread: Option<u32>, stamp: Stamp, body: Body<'_>) {
        let read = line(text.as_bytes());
        assert_eq!((read.thread, read.stamp, read.body), (thread, stamp, body), "{text}");
    }

    #[test]
    fn heads_of_every_form() {
        const NOON: u64 = 43_200_000_000_000;
        let close = Body::Call(b"close", b"3) = 0");
        check("close(3) = 0", None, Stamp::None, close);
        check("[pid 42] close(3) = 0", Some(42), Stamp::None, close);
        check("[pid    42<a b>c>] close(3) = 0", Some(42), Stamp::None, close);
        check("42    close(3) = 0", Some(42), Stamp::None, close);
        check("42<cat> [   3] [00007fffdeadbeef] close(3) = 0", Some(42), Stamp::None, close);
        check("42 [user_u:user_r:user_t:s0] close(3) = 0", Some(42), Stamp::None, close);
        check("12:00:00 close(3) = 0", None, Stamp::TimeOfDay(NOON), close);
        check("42 12:00:00.000001 close(3) = 0", Some(42), Stamp::TimeOfDay(NOON + 1000), close);
        check("42 12:00:00 (+     0.000012) close(3) = 0", Some(42), Stamp::TimeOfDay(NOON), close);
        check("1700000000.000000001 close(3) = 0", None, Stamp::Epoch(1_700_000_000_000_000_001), close);
        check("[pid 9] 1700000000 close(3) = 0", Some(9), Stamp::Epoch(1_700_000_000_000_000_000), close);
        check("     0.000012 close(3) = 0", None, Stamp::SinceLast(12_000), close);
        check("42      0.000012 close(3) = 0", Some(42), Stamp::SinceLast(12_000), close);
    }

    #[test]
    fn bodies_of_every_kind() {
        let body = |text: &'static str| line(text.as_bytes()).body;
        assert_eq!(body("<... read resumed>\"a\", 1) = 1"), Body::Resumed(b"read", b"\"a\", 1) = 1"));
        assert_eq!(body("[pid 4] --- SIGCHLD {si_signo=SIGCHLD} ---"), Body::Signal);
        assert_eq!(body("--- SIGCHLD (Child exited) @ 0 (0) ---"), Body::Signal);
        assert_eq!(body("4 +++ exited with 3 +++"), Body::Ended(Some(3)));
        assert_eq!(body("+++ killed by SIGSEGV (core dumped) +++"), Body::Ended(None));
        assert_eq!(body("4 +++ superseded by execve in pid 5 +++"), Body::Superseded(5));
        assert_eq!(body("strace: Process 42 attached"), Body::Attached(42));
        assert_eq!(body("Process 42 attached (waiting for parent)"), Body::Attached(42));
        assert_eq!(body("Process 42 detached"), Body::Remark);
        assert_eq!(body("strace: [ Process PID=7 runs in 32 bit mode. ]"), Body::Remark);
        for foreign in [
            "",
            "hello",
            "int main(void)",
            "Hello(3) = 0",
            "[pid 4",
            "<... read",
            "1x:2y:3 close(3) = 0",
            "9:99999999999.1 x",
            "12:00:00",
            "+++ x",
        ] {
            let read = body(foreign);
            assert!(matches!(read, Body::Foreign | Body::Remark), "{foreign}: {read:?}");
        }
    }

    #[test]
    fn ends_of_lines() {
        assert_eq!(unfinished(b"3,  <unfinished ...>"), Some(&b"3,"[..]));
        assert_eq!(unfinished(b"\"/a\", [] <pid changed to 11 ...>"), Some(&b"\"/a\", []"[..]));
        assert_eq!(unfinished(b"3) = 0"), None);
        assert_eq!(before_remark(b"SIGCHLDstrace: Process 42 attached"), Some((&b"SIGCHLD"[..], Some(42))));
        assert_eq!(before_remark(b"3, Process 42 attached"), Some((&b"3, "[..], Some(42))));
        let resumed = b"{0, 20}Process 42 resumed (parent 41 ready)";
        assert_eq!(before_remark(resumed), Some((&b"{0, 20}"[..], None)));
        assert!(has_ending(b"3) = 0") && has_ending(b"[{fd=3}]) = 1 ([{fd=3, revents=POLLIN}])"));
        assert!(!has_ending(b"3, {a=b}"));
    }
}

//! A configuration file that is replaced under its readers and its watchers:
//! what they get, when, and whether a read ever blocks.

mod content;
pub(super) mod editor;
pub(super) mod reader;
pub(super) mod remedy;
mod watch;

use super::Interrupted;
use super::ground::Ground;
use super::performer::{Performer, Trouble};
use super::rows::{Found, Rows};
use super::spread::Spread;
use editor::{Replaced, Way};
use reader::{Handle, Trial};
use std::collections::BTreeMap;
use std::time::Duration;
use watch::Watched;

/// Replacements of one row.
const REPLACEMENTS: u64 = 100;
/// A reader that has not seen the new content so long after a replacement is asked for a last look.
const SETTLE: Duration = Duration::from_millis(3);
/// A read that takes so long is blocked for ever.
const FOR_EVER: Duration = Duration::from_secs(10);
/// More orders of events than this are not listed one by one.
const ORDERS_MAX: usize = 3;

/// Tries every way, reader and watch in one place, then what a reader may do against half a file.
pub(super) fn run(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    for way in Way::ALL {
        for handle in Handle::ALL {
            for watched in Watched::ALL {
                let setting = format!("{} · watch on the {}", handle.word(), watched.word());
                rows.attempt(way.word(), &setting, || replace_often(ground, way, handle, watched))?;
            }
        }
    }
    remedy::try_all(ground, rows)
}

fn replace_often(ground: &Ground<'_>, way: Way, handle: Handle, watched: Watched) -> Result<Found, Trouble> {
    let directory = ground.fresh()?;
    let mut editor = ground.start(&["edit", way.word()], &directory)?;
    editor.expect("ready")?;
    let mut reader = ground.start(&["reload", handle.word(), watched.word()], &directory)?;
    reader.expect("ready")?;
    let mut seen = Seen::default();
    for generation in 1..=REPLACEMENTS {
        reader.tell(&generation.to_string())?;
        reader.expect("watching")?;
        editor.tell(&generation.to_string())?;
        let replaced: Replaced = editor.answer()?;
        let Some(trial) = trial_of(&mut reader)? else {
            seen.blocked_for_ever = 1;
            break;
        };
        seen.add(&replaced, &trial);
    }
    Ok(seen.into_found(way, handle))
}

/// What the reader met; `None` when it never came back.
fn trial_of(reader: &mut Performer<'_>) -> Result<Option<Trial>, Trouble> {
    // It says `new` as soon as it has the new content; where it never gets it, it is called.
    let early = reader.hear_within(SETTLE)?;
    reader.tell("over")?;
    let mut line = match early {
        Some(line) if line != "new" => Some(line),
        _ => reader.hear_within(FOR_EVER)?,
    };
    if line.as_deref() == Some("new") {
        line = reader.hear_within(FOR_EVER)?;
    }
    let Some(line) = line else { return Ok(None) };
    let trial = serde_json::from_str(&line);
    trial.map(Some).map_err(|error| Trouble::Failed(format!("`{line}`: {error}")))
}

/// What was seen over many replacements.
#[derive(Debug, Default)]
struct Seen {
    replacements: u64,
    woken: BTreeMap<String, u64>,
    last: BTreeMap<String, u64>,
    blocked: u64,
    blocked_for_ever: u64,
    unwoken: u64,
    watches: BTreeMap<String, u64>,
    orders: BTreeMap<String, u64>,
    replacing_ns: Vec<u64>,
    to_event_ns: Vec<u64>,
    to_new_ns: Vec<u64>,
    reads_ns: Vec<u64>,
}

impl Seen {
    fn add(&mut self, replaced: &Replaced, trial: &Trial) {
        self.replacements += 1;
        for what in &trial.woken {
            *self.woken.entry(what.clone()).or_default() += 1;
        }
        *self.last.entry(trial.last.clone()).or_default() += 1;
        self.blocked += trial.blocked;
        self.unwoken += u64::from(trial.woken.is_empty());
        *self.watches.entry(trial.watch.clone()).or_default() += 1;
        if !trial.events.is_empty() {
            *self.orders.entry(trial.events.join(" ")).or_default() += 1;
        }
        self.replacing_ns.push(replaced.to_ns - replaced.from_ns);
        self.to_event_ns.extend(trial.event_ns.map(|at| at.saturating_sub(replaced.from_ns)));
        // Where no event led to it, the look at the end found it: that is this scenario's own time.
        let led_by_an_event = trial.woken.iter().any(|what| what == "new");
        let new_ns = trial.new_ns.filter(|_| led_by_an_event);
        self.to_new_ns.extend(new_ns.map(|at| at.saturating_sub(replaced.from_ns)));
        self.reads_ns.extend(&trial.reads_ns);
    }

    fn into_found(self, way: Way, handle: Handle) -> Found {
        let mut found = Found::meaning(self.meaning(way, handle)).count("replacements", self.replacements);
        for what in ["new", "old", "empty", "torn"] {
            found = found.count(format!("woken: {what}"), self.woken.get(what).copied().unwrap_or(0));
        }
        let known = ["new", "old", "empty", "torn"];
        for (what, n) in self.woken.iter().filter(|(what, _)| !known.contains(&what.as_str())) {
            found = found.count(format!("woken: {what}"), *n);
        }
        for (what, n) in &self.last {
            found = found.count(format!("at the end: {what}"), *n);
        }
        found = found
            .count("reads: whole", self.reads_ns.len() as u64)
            .count("reads: blocked", self.blocked + self.blocked_for_ever)
            .count("not woken", self.unwoken);
        for (what, n) in &self.watches {
            found = found.count(format!("watch: {what}"), *n);
        }
        let mut orders: Vec<_> = self.orders.iter().collect();
        orders.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        for (order, n) in orders.iter().take(ORDERS_MAX) {
            found = found.count(format!("events: {order}"), **n);
        }
        let rest: u64 = orders.iter().skip(ORDERS_MAX).map(|(_, n)| **n).sum();
        if rest > 0 {
            found = found.count("events: in other orders", rest);
        }
        found
            .figure("from the first change to the event", Spread::of(self.to_event_ns))
            .figure("from the first change to new content in hand", Spread::of(self.to_new_ns))
            .figure("the replacement itself", Spread::of(self.replacing_ns))
            .figure("one read of the whole content", Spread::of(self.reads_ns))
    }

    fn meaning(&self, way: Way, handle: Handle) -> String {
        let woken = |what: &str| self.woken.get(what).copied().unwrap_or(0);
        let content = match (way.keeps_the_file(), handle) {
            (true, _) if woken("empty") > 0 && woken("torn") > 0 => {
                "a reader that is woken while the file is rewritten gets empty or torn content"
            }
            (true, _) if woken("empty") > 0 => {
                "a reader that is woken while the file is rewritten gets an empty file"
            }
            (true, _) if woken("torn") > 0 => {
                "a reader that is woken while the file is rewritten gets torn content"
            }
            (true, _) => "no reader met the file half written this time, though nothing prevents it",
            (false, Handle::Held) => "the old handle goes on giving the old content, whole",
            (false, Handle::Anew) if woken("empty") + woken("torn") + woken("ENOENT") > 0 => {
                "between the two steps a reader finds no file, or one half written"
            }
            (false, Handle::Anew) if way == Way::RenameOver => {
                "a reader that opens anew gets the new content, whole, and never anything between"
            }
            (false, Handle::Anew) => {
                "no reader fell between the two steps this time, though nothing prevents it"
            }
        };
        let blocked = match self.blocked + self.blocked_for_ever {
            0 => format!("none of {} reads blocked", self.reads_ns.len()),
            blocked => format!("{blocked} of {} reads blocked", self.reads_ns.len()),
        };
        let watch = if self.watches.contains_key(watch::DEAD) {
            "; the watch dies with the old file (IN_IGNORED) and has to be set anew"
        } else if self.watches.contains_key(watch::LEFT_BEHIND) {
            "; the watch stays with the old file and tells nothing of later replacements"
        } else {
            ""
        };
        let mut text = format!("{content}; {blocked}{watch}.");
        text[..1].make_ascii_uppercase();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(woken: &[&str], watch: &str) -> Trial {
        Trial {
            woken: woken.iter().map(|&what| what.to_owned()).collect(),
            last: "new".to_owned(),
            blocked: 0,
            events: vec!["IN_ATTRIB".to_owned()],
            watch: watch.to_owned(),
            event_ns: Some(1500),
            new_ns: Some(2500),
            reads_ns: vec![10],
        }
    }

    #[test]
    fn a_dead_watch_and_torn_content_are_told() {
        let mut seen = Seen::default();
        seen.add(&Replaced { from_ns: 1000, to_ns: 1200 }, &trial(&["torn", "new"], watch::DEAD));
        let text = seen.meaning(Way::Truncate, Handle::Anew);
        assert!(text.starts_with("A reader that is woken") && text.contains("IN_IGNORED"), "{text}");
        assert_eq!((seen.to_event_ns.as_slice(), seen.to_new_ns.as_slice()), (&[500][..], &[1500][..]));
        assert!(text.contains("gets torn content"), "nothing was empty: {text}");
        seen.add(&Replaced { from_ns: 1000, to_ns: 1200 }, &trial(&[], watch::LEFT_BEHIND));
        assert_eq!(seen.to_new_ns, [1500], "found by the look at the end, not by the watch");
        seen.blocked_for_ever = 1;
        assert!(seen.meaning(Way::Truncate, Handle::Anew).contains("1 of 2 reads blocked"));
    }
}

//! Which price of a list each counted call gets: the nearest condition with the
//! same outcome, and between its sizes or depths a straight line.

use fathom_model::{
    CacheState, CallCondition, CallOutcome, CommandPrices, Estimate, Price, PriceList, PricedCalls,
    price_what as what,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Prices for the calls that have one.
pub(super) fn priced(file: PathBuf, list: &PriceList, conditions: &[CallCondition]) -> CommandPrices {
    let calls = conditions.iter().filter_map(|condition| quote(&list.prices, condition)).collect();
    CommandPrices { file, created: list.created.clone(), place: list.place.clone(), calls }
}

/// The price of a condition; `None` when the call has none with its outcome.
fn quote(prices: &[Price], condition: &CallCondition) -> Option<PricedCalls> {
    let errno = match &condition.outcome {
        CallOutcome::Succeeded => None,
        CallOutcome::Failed(errno) => Some(errno.as_str()),
        CallOutcome::NeverReturned => return None,
    };
    let fits = |price: &&Price| {
        price.call == condition.call
            && price.errno.as_deref() == errno
            && price.cache != Some(CacheState::Cold)
    };
    let known = prices.iter().filter(fits).filter_map(|price| Some((distance(condition, price)?, price)));
    let known: Vec<(usize, &Price)> = known.collect();
    let (away, nearest) = *known.iter().min_by_key(|(away, _)| *away)?;
    let curve: Vec<&Price> =
        known.into_iter().map(|(_, price)| price).filter(|price| price.what == nearest.what).collect();
    let place = Place::of(condition, &curve);
    let (wall_ns, cpu_ns, beside) = place.on(&curve);
    let mut notes = Vec::new();
    if away >= OTHER {
        let flags = if condition.flags.is_empty() { "a call without flags" } else { &condition.flags };
        notes.push(format!("for {flags}"));
    }
    notes.extend(beside);
    Some(PricedCalls {
        call: condition.call.clone(),
        outcome: condition.outcome.clone(),
        count: condition.count,
        price: described(nearest),
        at: place.named(),
        note: (!notes.is_empty()).then(|| notes.join(", ")),
        wall_ns,
        cpu_ns,
    })
}

/// What a price depends on beside words.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Depth(f64),
    Size(f64),
    Any,
}

impl Place {
    fn of(condition: &CallCondition, curve: &[&Price]) -> Self {
        let mean_bytes = condition.bytes as f64 / condition.count.max(1) as f64;
        match (condition.path_components, condition.size_class_bytes) {
            (Some(depth), _) if curve.iter().any(|price| price.depth.is_some()) => {
                Self::Depth(f64::from(depth))
            }
            (_, Some(_)) if curve.iter().any(|price| price.size_bytes.is_some()) => Self::Size(mean_bytes),
            _ => Self::Any,
        }
    }

    fn axis(self, price: &Price) -> f64 {
        match self {
            Self::Depth(_) => price.depth.map_or(0.0, f64::from),
            Self::Size(_) => price.size_bytes.map_or(0.0, |bytes| bytes as f64),
            Self::Any => 0.0,
        }
    }

    fn named(self) -> Option<String> {
        match self {
            Self::Depth(depth) => Some(format!("depth {depth}")),
            Self::Size(bytes) => Some(format!("{bytes:.0} B")),
            Self::Any => None,
        }
    }

    /// Wall and CPU time, and a note where no price lies on both sides.
    fn on(self, curve: &[&Price]) -> (Estimate, Estimate, Option<String>) {
        let mut points: Vec<_> = curve.iter().map(|price| (self.axis(price), *price)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Self::Depth(asked) | Self::Size(asked)) = self else {
            return (points[0].1.wall_ns, points[0].1.cpu_ns, None);
        };
        let upper = points.iter().position(|(at, _)| *at >= asked).unwrap_or(points.len());
        let (left, right) = match upper {
            0 => (0, 0),
            beyond if beyond == points.len() => (beyond.saturating_sub(2), beyond - 1),
            inside => (inside - 1, inside),
        };
        let ((from, a), (to, b)) = (points[left], points[right]);
        let weight = if to > from { (asked - from) / (to - from) } else { 1.0 };
        let beyond = (upper == points.len()).then(|| match points.len() {
            1 => format!("priced at {to} only"),
            _ => format!("drawn out from {to}"),
        });
        (mixed(a.wall_ns, b.wall_ns, weight), mixed(a.cpu_ns, b.cpu_ns, weight), beyond)
    }
}

fn mixed(a: Estimate, b: Estimate, weight: f64) -> Estimate {
    let mix = |a: f64, b: f64| (a + (b - a) * weight).max(0.0);
    let end = |a: Option<f64>, b: Option<f64>| Some(mix(a?, b?));
    Estimate {
        value: mix(a.value, b.value),
        low: end(a.low, b.low),
        high: end(a.high, b.high),
        confidence: a.confidence.min(b.confidence),
        forks: a.forks.min(b.forks),
    }
}

fn described(price: &Price) -> String {
    let parts = [price.errno.as_deref().unwrap_or(""), price.what.as_str()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// How far a price is from what was called, beside depth and size; `None` where it
/// is the price of something else. From `OTHER` on, flags differ.
fn distance(condition: &CallCondition, price: &Price) -> Option<usize> {
    let is = |text: &str| price.what == text;
    match condition.call.as_str() {
        "open" | "openat" | "openat2" | "creat" => {
            let (asked, priced) = (open_flags(&condition.flags), open_flags(&price.what));
            let made_new = usize::from(is(what::CREATE_EXISTING) || is(what::READ_ONLY_ABSOLUTE));
            Some(OTHER * asked.symmetric_difference(&priced).count() + made_new)
        }
        "newfstatat" | "statx" => {
            let by_descriptor = is(what::EMPTY_PATH) || is(what::BY_DESCRIPTOR);
            (by_descriptor == condition.flags.contains("AT_EMPTY_PATH")).then_some(0)
        }
        "fcntl" | "ioctl" | "epoll_ctl" | "futex" | "fadvise64" | "madvise" => {
            words(&price.what).any(|word| word == condition.flags).then_some(0)
        }
        "lseek" => Some(if words(&price.what).any(|word| word == condition.flags) { 0 } else { OTHER }),
        "mmap" => {
            (price.what.contains("MAP_ANONYMOUS") == condition.flags.contains("MAP_ANONYMOUS")).then_some(0)
        }
        "read" | "readv" | "pread64" | "preadv" | "preadv2" | "getdents64" => {
            let at_end = is(what::AT_END) || is(what::NO_NAMES);
            let fits = at_end == (condition.size_class_bytes == Some(0)) && !is(what::OF_EVENTFD);
            fits.then_some(usize::from(is(what::MANY_NAMES)))
        }
        "write" | "writev" | "pwrite64" | "pwritev" | "pwritev2" => {
            (!is(what::OF_EVENTFD)).then_some(usize::from(!is(what::OVERWRITING)))
        }
        "close" => Some(usize::from(!is(what::AFTER_READING))),
        _ => Some(0),
    }
}

/// Distance of a price whose flags are others.
const OTHER: usize = 10;

/// Flags of an open that change what it costs.
fn open_flags(text: &str) -> BTreeSet<&str> {
    const PRICED: [&str; 7] =
        ["O_CREAT", "O_TRUNC", "O_DIRECT", "O_PATH", "O_TMPFILE", "O_SYNC", "O_DIRECTORY"];
    let mut flags: BTreeSet<_> = words(text).filter(|word| PRICED.contains(word)).collect();
    if flags.is_empty() && words(text).any(|word| matches!(word, "O_WRONLY" | "O_RDWR")) {
        flags.insert("O_WRONLY");
    }
    flags
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64) -> Estimate {
        Estimate { value, low: Some(value - 1.0), high: Some(value + 1.0), confidence: 0.95, forks: 8 }
    }

    fn price(
        call: &str,
        what: &str,
        errno: Option<&str>,
        (depth, size): (Option<u32>, Option<u64>),
        ns: f64,
    ) -> Price {
        Price {
            call: call.to_owned(),
            what: what.to_owned(),
            errno: errno.map(str::to_owned),
            depth,
            size_bytes: size,
            cache: None,
            wall_ns: estimate(ns),
            cpu_ns: estimate(ns / 2.0),
        }
    }

    fn list() -> Vec<Price> {
        vec![
            price("openat", "O_RDONLY", None, (Some(1), None), 1000.0),
            price("openat", "O_RDONLY", None, (Some(4), None), 1300.0),
            price("openat", "O_CREAT of a new file", None, (None, None), 9000.0),
            price("openat", "absent", Some("ENOENT"), (Some(1), None), 500.0),
            price("read", what::AT_END, None, (None, Some(0)), 100.0),
            price("read", what::IN_ORDER, None, (None, Some(512)), 150.0),
            price("read", what::IN_ORDER, None, (None, Some(4096)), 500.0),
            price("read", what::OF_EVENTFD, None, (None, Some(8)), 400.0),
            price("futex", what::WAKE_NOBODY, None, (None, None), 90.0),
            Price {
                cache: Some(CacheState::Cold),
                ..price("read", "cold", None, (None, Some(4096)), 60_000.0)
            },
        ]
    }

    fn condition(
        call: &str,
        outcome: CallOutcome,
        flags: &str,
        place: (Option<u32>, Option<u64>),
    ) -> CallCondition {
        CallCondition {
            call: call.to_owned(),
            outcome,
            flags: flags.to_owned(),
            path_components: place.0,
            size_class_bytes: place.1,
            bytes: 2 * place.1.unwrap_or(0),
            count: 2,
        }
    }

    /// Wall time in whole ns, and the note.
    fn quoted(condition: &CallCondition) -> (String, Option<String>) {
        let quote = quote(&list(), condition).unwrap();
        assert!((quote.cpu_ns.value - quote.wall_ns.value / 2.0).abs() < 1e-9);
        (format!("{:.0}", quote.wall_ns.value), quote.note)
    }

    #[test]
    fn depths_and_sizes_lie_on_a_line() {
        let done = || CallOutcome::Succeeded;
        let open = |depth| quoted(&condition("openat", done(), "O_RDONLY|O_CLOEXEC", (Some(depth), None)));
        assert_eq!(open(1), ("1000".to_owned(), None));
        assert_eq!(open(2), ("1100".to_owned(), None));
        assert_eq!(open(7), ("1600".to_owned(), Some("drawn out from 4".to_owned())));
        let read = |bytes| quoted(&condition("read", done(), "", (None, Some(bytes)))).0;
        assert_eq!(
            [read(0), read(8), read(512), read(2304), read(4096)],
            ["100", "150", "150", "325", "500"]
        );
    }

    #[test]
    fn flags_and_outcomes_decide_before() {
        let made = condition("openat", CallOutcome::Succeeded, "O_WRONLY|O_CREAT", (Some(2), None));
        assert_eq!(quoted(&made), ("9000".to_owned(), None));
        let direct = condition("openat", CallOutcome::Succeeded, "O_RDONLY|O_DIRECT", (Some(1), None));
        assert_eq!(quoted(&direct).1.as_deref(), Some("for O_RDONLY|O_DIRECT"));
        let missing = CallOutcome::Failed("ENOENT".to_owned());
        assert_eq!(quoted(&condition("openat", missing, "O_RDONLY", (Some(1), None))).0, "500");
    }

    #[test]
    fn what_has_no_price_gets_none() {
        let none =
            |call: &str, outcome| quote(&list(), &condition(call, outcome, "", (None, None))).is_none();
        assert!(none("mmap", CallOutcome::Succeeded));
        assert!(none("openat", CallOutcome::Failed("EPERM".to_owned())));
        assert!(none("read", CallOutcome::NeverReturned));
    }
}

//! What limits a method, in one line with its evidence.

use super::{share, whole_percent};
use crate::quantity::number;
use crate::written::time;
use fathom_model::{Bound, Breakdown, Part, PartKind, Profile};
use fathom_stats::{Limit, limit, rest_share};

/// Parts that take less of the whole are not named.
const NAMED_FROM: f64 = 0.01;
/// A rest that reaches so far looks as if it decided.
const HALF_PERCENT: f64 = 50.0;
/// More parts of one kind than these are read in full only.
const NAMED_MAX: usize = 4;
/// A frame seen in fewer of the samples explains little.
const FRAME_FROM: f64 = 0.1;

/// `2.52 µs: call-bound (calls 78 %: openat 61 %, close 12 %); rest 22 ± 1 %`.
pub(super) fn line(breakdown: &Breakdown, profile: Option<&Profile>) -> String {
    let limit = limit(breakdown);
    let of = |class: &Class| class_text(breakdown, class, profile);
    let (deciding, others): (Vec<_>, Vec<_>) = CLASSES
        .iter()
        .filter(|class| class.ns(breakdown).abs() > NAMED_FROM * breakdown.total_ns.value)
        .partition(|class| class.bound == limit.bound);
    let evidence: Vec<_> = deciding.into_iter().map(of).collect();
    let mut more: Vec<_> = others.into_iter().filter(|class| class.bound != Bound::Cpu).map(of).collect();
    if limit.bound != Bound::Cpu {
        more.push(rest(breakdown, &limit));
    }
    let evidence = if evidence.is_empty() { String::new() } else { format!(" ({})", evidence.join("; ")) };
    let total = time(&breakdown.total_ns);
    format!("{total}: {}{evidence}; {}", word(breakdown, &limit), more.join("; "))
        .trim_end_matches("; ")
        .to_owned()
}

/// Parts of one kind, as a verdict knows them.
struct Class {
    bound: Bound,
    name: &'static str,
    kinds: &'static [PartKind],
}

const CLASSES: [Class; 4] = [
    Class { bound: Bound::Device, name: "waiting", kinds: &[PartKind::Wait, PartKind::RunQueue] },
    Class { bound: Bound::Call, name: "calls", kinds: &[PartKind::Call] },
    Class { bound: Bound::Fault, name: "faults", kinds: &[PartKind::Fault, PartKind::PageCache] },
    Class { bound: Bound::Cpu, name: "own code or unpriced", kinds: &[PartKind::Loop, PartKind::Rest] },
];

impl Class {
    fn parts<'a>(&self, breakdown: &'a Breakdown) -> Vec<&'a Part> {
        breakdown.parts.iter().filter(|part| self.kinds.contains(&part.kind)).collect()
    }

    fn ns(&self, breakdown: &Breakdown) -> f64 {
        self.parts(breakdown).iter().map(|part| part.ns).sum()
    }
}

fn word(breakdown: &Breakdown, limit: &Limit) -> String {
    let word = match limit.bound {
        Bound::Cpu => "CPU-bound",
        Bound::Call => "call-bound",
        Bound::Fault => "fault-bound",
        Bound::Device if of_kind(breakdown, PartKind::RunQueue) > of_kind(breakdown, PartKind::Wait) => {
            "held up by others' work"
        }
        Bound::Device => "device-bound",
        Bound::Unknown => "limit not known: the unattributed time may be anything",
        Bound::Mixed => return unclear(limit),
    };
    word.to_owned()
}

/// Why no class is named.
fn unclear(limit: &Limit) -> String {
    let Some(doubt) = limit.doubt else {
        return "mixed, nothing takes clearly more than half".to_owned();
    };
    let class = CLASSES.iter().find(|class| class.bound == doubt.class);
    let name = class.map_or("the unattributed time", |class| class.name);
    match doubt.share {
        // Rounded away from each other, so that what is said still covers.
        Some((low, high)) => format!(
            "limit not clear, {name} may be {} to {} %",
            number((low * 100.0).floor(), 0),
            number((high * 100.0).ceil(), 0)
        ),
        None => "limit not clear, the time has no interval".to_owned(),
    }
}

fn of_kind(breakdown: &Breakdown, kind: PartKind) -> f64 {
    breakdown.parts.iter().filter(|part| part.kind == kind).map(|part| part.ns).sum()
}

/// `calls 78 %: openat 61 %, close 12 %`.
fn class_text(breakdown: &Breakdown, class: &Class, profile: Option<&Profile>) -> String {
    let total = breakdown.total_ns.value;
    let whole = format!("{} {}", class.name, share(class.ns(breakdown), total));
    if class.bound == Bound::Cpu {
        return match profile.and_then(hottest) {
            Some((frame, seen)) => format!("{whole}, {frame} in {} of the samples", share(seen, 1.0)),
            None => whole,
        };
    }
    let mut parts = class.parts(breakdown);
    parts.retain(|part| part.ns > NAMED_FROM * total);
    parts.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    parts.truncate(NAMED_MAX);
    let named: Vec<_> =
        parts.iter().map(|part| format!("{} {}", part.label(), share(part.ns, total))).collect();
    if named.is_empty() || parts.iter().any(|part| part.name == class.name) && parts.len() == 1 {
        return whole;
    }
    format!("{whole}: {}", named.join(", "))
}

/// With what it may be wrong by, which is what all parts may be wrong by. Where that is
/// more than half of the median time and something else decides all the same, the rest's
/// share over the whole interval of the time says why.
fn rest(breakdown: &Breakdown, limit: &Limit) -> String {
    let total = breakdown.total_ns.value;
    let Some(rest) = breakdown.parts.iter().find(|part| part.kind == PartKind::Rest) else {
        return String::new();
    };
    let error = rest.error_ns.map(|error| error / total * 100.0).filter(|error| error.is_finite());
    let percent = whole_percent(rest.ns, total);
    let share = share(rest.ns, total);
    let excess = match rest.error_ns {
        Some(error) if rest.ns < -error => ", as the unit costs add up to more than it took",
        _ => "",
    };
    let is_decided = !matches!(limit.bound, Bound::Mixed | Bound::Unknown);
    let reach = rest.ns / total * 100.0 + error.unwrap_or(0.0);
    if let Some((low, high)) = rest_share(breakdown).filter(|_| is_decided && reach >= HALF_PERCENT) {
        let (low, high) = (number((low * 100.0).floor(), 0), number((high * 100.0).ceil(), 0));
        return format!("unattributed {share}, from {low} to {high} %{excess}");
    }
    match (error, percent) {
        (Some(error), Some(percent)) => {
            // Rounded up, so that what it suggests still covers.
            format!("unattributed {percent} ± {} %{excess}", number(error.ceil(), 0))
        }
        _ => format!("unattributed {share}{excess}"),
    }
}

/// The user's frame that most samples were taken in, and its share of all of them.
fn hottest(profile: &Profile) -> Option<(&str, f64)> {
    let leaves = profile.stacks.iter().filter_map(|stack| {
        let leaf = stack.frames.rsplit(';').next().filter(|frame| !frame.is_empty())?;
        Some((leaf, stack.samples))
    });
    let mut found: Vec<(&str, u64)> = Vec::new();
    for (leaf, samples) in leaves.filter(|(leaf, _)| !leaf.ends_with("_[k]")) {
        match found.iter_mut().find(|(known, _)| *known == leaf) {
            Some((_, sum)) => *sum += samples,
            None => found.push((leaf, samples)),
        }
    }
    let (frame, samples) = found.into_iter().max_by_key(|(_, samples)| *samples)?;
    let seen = samples as f64 / profile.samples.max(1) as f64;
    (seen >= FRAME_FROM).then_some((frame, seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::breakdown::breakdown;
    use fathom_testkit::explained;

    fn open() -> Breakdown {
        breakdown(&explained().experiments[0].comparisons[0], 1).unwrap().clone()
    }

    #[test]
    fn the_deciding_class_stands_in_brackets_and_the_rest_last() {
        let mut broken_down = open();
        assert_eq!(
            line(&broken_down, None),
            "3621 ns: call-bound (calls 61 %: openat 28 %, fcntl 18 %, close 11 %, epoll_ctl=EPERM 5 %); \
             unattributed 39 ± 1 %"
        );
        (broken_down.bound, broken_down.share) = (Bound::Mixed, 0.4);
        broken_down.parts[0].ns -= 508.0;
        broken_down.parts.last_mut().unwrap().ns += 508.0;
        let text = line(&broken_down, None);
        assert!(
            text.starts_with("3621 ns: mixed, nothing takes clearly more than half; calls 47 %: fcntl 18 %"),
            "{text}"
        );
        broken_down.bound = Bound::Unknown;
        for part in &mut broken_down.parts {
            part.ns *= if part.kind == PartKind::Rest { 2.0 } else { 0.1 };
        }
        assert!(
            line(&broken_down, None)
                .starts_with("3621 ns: limit not known: the unattributed time may be anything;")
        );
    }

    #[test]
    fn what_the_time_s_interval_leaves_open_is_said_with_what_it_may_be() {
        let mut broken_down = open();
        broken_down.total_ns = fathom_testkit::estimate(3621.0, Some((3200.0, 4800.0)), 9);
        let text = line(&broken_down, None);
        assert!(
            text.starts_with("3621 ns: limit not clear, calls may be 45 to 71 %; calls 61 %: "),
            "{text}"
        );
        broken_down.total_ns = fathom_testkit::estimate(3621.0, None, 3);
        let text = line(&broken_down, None);
        assert!(text.starts_with("3621 ns: limit not clear, the time has no interval; calls 61 %"), "{text}");
    }

    #[test]
    fn a_rest_that_seems_to_reach_beyond_half_of_what_another_decides_is_a_share() {
        let mut broken_down = open();
        broken_down.total_ns = fathom_testkit::estimate(3621.0, Some((3600.0, 4200.0)), 9);
        broken_down.parts.last_mut().unwrap().error_ns = Some(601.0);
        let text = line(&broken_down, None);
        assert!(
            text.starts_with("3621 ns: call-bound (calls 61 %")
                && text.ends_with("; unattributed 39 %, from 37 to 48 %"),
            "{text}"
        );
        broken_down.parts.last_mut().unwrap().error_ns = Some(100.0);
        assert!(line(&broken_down, None).ends_with("; unattributed 39 ± 3 %"));
    }

    #[test]
    fn a_rest_below_zero_is_said_to_come_from_the_prices() {
        let mut broken_down = open();
        let rest = broken_down.parts.last_mut().unwrap();
        (rest.ns, rest.error_ns) = (-400.0, Some(30.0));
        assert!(
            line(&broken_down, None)
                .ends_with("unattributed -11 ± 1 %, as the unit costs add up to more than it took")
        );
        broken_down.parts.last_mut().unwrap().error_ns = Some(500.0);
        assert!(line(&broken_down, None).ends_with("unattributed -11 ± 14 %"), "within its error");
        broken_down.parts.last_mut().unwrap().error_ns = None;
        assert!(line(&broken_down, None).ends_with("unattributed -11 %"));
    }

    #[test]
    fn waiting_for_a_cpu_is_not_the_devices() {
        let mut broken_down = open();
        broken_down.bound = Bound::Device;
        (broken_down.parts[0].kind, broken_down.parts[0].ns) = (PartKind::RunQueue, 3_000.0);
        assert!(line(&broken_down, None).starts_with("3621 ns: held up by others' work (waiting 83 %"));
        broken_down.parts[0].kind = PartKind::Wait;
        assert!(line(&broken_down, None).starts_with("3621 ns: device-bound (waiting 83 %"));
    }

    #[test]
    fn the_hottest_frame_is_the_users() {
        let record = explained();
        let profile = record.experiments[0].comparisons[0].explanations[1].profile.as_ref().unwrap();
        let profile = profile.value().unwrap();
        assert_eq!(hottest(profile).unwrap().0, "runtime.SetFinalizer");
        let none = Profile { stacks: Vec::new(), ..profile.clone() };
        assert_eq!(hottest(&none), None);
    }
}

//! Words that all forms of an audit say alike: how bad, how often, how dear, where, whose.

use crate::quantity::{grouped, percent, short_time, things, three_digits};
use fathom_audit::{
    Audit, Doubt, Finding, FindingClass, FindingPrice, Frame, Owner, PathCount, PathSet, RuleChoice, RuleId,
    Savings, Severity,
};
use fathom_model::Reading;

/// A path stands out with this part of all cases: a tenth.
const STANDS_OUT: u64 = 10;
/// Prices of which an end is this many times as high or as low say little.
const WIDE: f64 = 2.0;
/// Below this a number per file says nothing.
const PER_FILE_MIN: f64 = 0.01;

/// `high`, `warning`, `info`.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "high",
        Severity::Warn => "warning",
        Severity::Info => "info",
    }
}

/// Whose code it is, as `not yours: the runtime's`, or what its stack says against its calls;
/// `None` where it is the program's own.
pub(crate) fn whose(finding: &Finding) -> Option<String> {
    let by_calls = owner(finding.owner_by_calls);
    match (by_calls, owner(finding.owner)) {
        (None, None) => None,
        (None, Some(other)) => Some(format!("{other}, by its stack")),
        (Some(other), None) => Some(format!("not yours: {other}, by its calls")),
        (Some(_), Some(other)) => Some(format!("not yours: {other}")),
    }
}

/// `the runtime's`; `None` of what is the program's own.
fn owner(owner: Owner) -> Option<&'static str> {
    match owner {
        Owner::Yours => None,
        Owner::Runtime => Some("the runtime's"),
        Owner::Libc => Some("the C library's"),
        Owner::Loader => Some("the dynamic loader's"),
    }
}

/// `30 times`.
pub(crate) fn times(finding: &Finding) -> String {
    things(finding.count, "time")
}

/// `30 times, 1.50 per file opened`.
pub(crate) fn frequency(finding: &Finding) -> String {
    let each = finding.per_file_opened.filter(|&each| each >= PER_FILE_MIN);
    let each = each.map(|each| format!(", {} per file opened", three_digits(each)));
    format!("{}{}", times(finding), each.unwrap_or_default())
}

/// `209 µs [200 µs, 219 µs] untraced, 3.2 % of its file calls`; `None` of a danger that has
/// no price to have, and where nothing was priced at all, which is said once for the audit.
pub(crate) fn price(audit: &Audit, finding: &Finding) -> Option<String> {
    let price = match &finding.price {
        Reading::Value(price) => price,
        Reading::Unavailable(_) if finding.avoidable.is_empty() || !has_prices(audit) => return None,
        Reading::Unavailable(reason) => return Some(format!("no price: {reason}")),
    };
    let interval = interval(price).map(|ends| format!(" {ends}")).unwrap_or_default();
    let share = share(price).map(|share| format!(", {share}")).unwrap_or_default();
    let without = match price.calls_without_price {
        0 => String::new(),
        some => format!(", {} without a price", things(some, "call")),
    };
    let of_twins = of_plain_calls(price);
    let uncertain = if is_wide(price.total_ns, price.low_ns, price.high_ns) { ", uncertain" } else { "" };
    Some(format!("{}{interval} untraced{uncertain}{of_twins}{share}{without}", short_time(price.total_ns)))
}

/// That operations of a ring have the prices of the calls they stand for: the list has none of their own.
fn of_plain_calls(price: &FindingPrice) -> &'static str {
    if price.is_of_plain_calls { " at the prices of plain calls, not of io_uring" } else { "" }
}

/// `209 µs (3.2 %)`, where that is known, and its interval where it is wide; `of` says of what that is a share, where nothing around it does.
pub(crate) fn brief_price(finding: &Finding, of: &str) -> Option<String> {
    let price = finding.price.value()?;
    let share = price.share.map(|share| format!(" ({}{of})", percent(share))).unwrap_or_default();
    let of_twins = of_plain_calls(price);
    let is_wide = is_wide(price.total_ns, price.low_ns, price.high_ns);
    let interval = interval(price).filter(|_| is_wide).map(|ends| format!(" {ends}")).unwrap_or_default();
    Some(format!("{}{interval}{of_twins}{share}", short_time(price.total_ns)))
}

/// Why a price is not part of what mending all saves.
pub(crate) fn not_in_sum(finding: &Finding) -> Option<String> {
    let is_left_out = finding.is_uncertain && finding.price.value().is_some();
    is_left_out.then(|| "perhaps: not in the sum".to_owned())
}

/// `[200 µs, 219 µs]`.
pub(crate) fn interval(price: &FindingPrice) -> Option<String> {
    let (low, high) = price.low_ns.zip(price.high_ns)?;
    Some(format!("[{}, {}]", short_time(low), short_time(high)))
}

/// `3.2 % of its file calls`.
pub(crate) fn share(price: &FindingPrice) -> Option<String> {
    Some(format!("{} of its file calls", percent(price.share?)))
}

/// Calls that only ask: `fathom what-if --without` makes them again.
const ASKING: [&str; 12] = [
    "access",
    "faccessat",
    "faccessat2",
    "fstat",
    "ioctl",
    "lstat",
    "newfstatat",
    "open",
    "openat",
    "readlink",
    "stat",
    "statx",
];

/// The command that measures what a finding's patch would gain, where it can.
pub(crate) fn what_it_would_gain(audit: &Audit, finding: &Finding) -> Option<String> {
    let command = again(audit)?;
    let is_cost = finding.class == FindingClass::Cost && finding.owner_by_calls != Owner::Loader;
    // A close goes with its open; what reads or writes is never made again.
    let is_measured = |call: &str| ASKING.contains(&call) || call == "close";
    let asks = !finding.avoidable.is_empty()
        && finding.avoidable.iter().all(|calls| is_measured(&calls.call))
        && finding.avoidable.iter().any(|calls| ASKING.contains(&calls.call.as_str()));
    (is_cost && asks).then(|| format!("`fathom what-if --without {} -- {command}` measures it", finding.rule))
}

/// The command that measures what mending all of it would gain, where it can for each of several.
pub(crate) fn what_all_would_gain(audit: &Audit) -> Option<String> {
    let command = again(audit)?;
    audit.savings.as_ref()?;
    let in_sum: Vec<_> = audit.findings.iter().filter(|finding| finding.is_of_savings()).collect();
    let is_measured = in_sum.len() > 1 && in_sum.iter().all(|one| what_it_would_gain(audit, one).is_some());
    is_measured.then(|| format!("`fathom what-if --without all-of-mine -- {command}` measures it"))
}

/// The command that was audited, as a shell takes it; of words that a shell would read otherwise a stand-in.
fn again(audit: &Audit) -> Option<String> {
    let words = &audit.command.as_ref().filter(|command| !command.words.is_empty())?.words;
    let is_plain =
        |word: &String| word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c));
    Some(if words.iter().all(is_plain) { words.join(" ") } else { "COMMAND".to_owned() })
}

/// `Mending all of this saves at most 11.0 ms [10.0 ms, 12.0 ms] of the 340 ms that its file calls take
/// (3.2 %)`: other calls may be needed instead. What the program computes around those calls goes with
/// them, and has no price here.
pub(crate) fn savings(audit: &Audit) -> Option<String> {
    let savings = audit.savings.as_ref()?;
    let without = match savings.calls_without_price {
        0 => String::new(),
        some => format!(", and {} without a price", things(some, "call")),
    };
    Some(format!(
        "Mending all of this saves at most {} that its file calls take ({}){without}; what its own code \
         spends around those calls comes on top{}",
        amount(savings),
        percent(savings.share),
        uncertain(savings),
    ))
}

/// `saves at most 11.0 ms [10.0 ms, 12.0 ms] of the 340 ms in file calls (3.2 %), beside its own code
/// around them`.
pub(crate) fn brief_savings(audit: &Audit) -> Option<String> {
    let savings = audit.savings.as_ref()?;
    let share = percent(savings.share);
    let (amount, uncertain) = (amount(savings), uncertain(savings));
    Some(format!(
        "saves at most {amount} in file calls ({share}), beside its own code around them{uncertain}"
    ))
}

/// `11.0 ms [10.0 ms, 12.0 ms] of the 340 ms`. Ends are added up as if all prices were wrong the same way.
fn amount(savings: &Savings) -> String {
    let ends = savings.low_ns.zip(savings.high_ns);
    let ends = ends.map(|(low, high)| format!(" [{}, {}]", short_time(low), short_time(high)));
    let [saved, whole] = [savings.total_ns, savings.of_ns].map(short_time);
    format!("{saved}{} of the {whole}", ends.unwrap_or_default())
}

/// True of a time whose interval says little.
fn is_wide(ns: f64, low_ns: Option<f64>, high_ns: Option<f64>) -> bool {
    high_ns.is_some_and(|high| high > WIDE * ns) || low_ns.is_some_and(|low| low * WIDE < ns)
}

/// Where the interval is wider than it is useful, what to do.
fn uncertain(savings: &Savings) -> &'static str {
    if is_wide(savings.total_ns, savings.low_ns, savings.high_ns) {
        "; the prices are uncertain: take them again by `fathom prices` on a quiet machine"
    } else {
        ""
    }
}

/// `most of it in /srv/node_modules/jsdom (10,868), /srv/node_modules/rxjs (3,929)`, or the path
/// with the most.
pub(crate) fn concentration(finding: &Finding) -> Option<String> {
    let parts = concentrations(finding);
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The same, each directory for itself.
pub(crate) fn concentrations(finding: &Finding) -> Vec<String> {
    let told = |count: &PathCount| format!("{} ({})", count.path, grouped(count.count));
    if let Some((first, others)) = finding.directories.split_first() {
        let first = format!("most of it in {}", told(first));
        return std::iter::once(first).chain(others.iter().map(told)).collect();
    }
    let stands_out = |most: &&PathCount| {
        most.count > 1 && most.count < finding.count && most.count * STANDS_OUT >= finding.count
    };
    let most = finding.most_at.as_ref().filter(stands_out);
    most.map(|most| format!("most often {}", told(most))).into_iter().collect()
}

/// True where a price list was at hand.
pub(crate) fn has_prices(audit: &Audit) -> bool {
    audit.call_prices_ns.iter().any(Option::is_some)
        || audit.findings.iter().any(|finding| finding.price.value().is_some())
}

/// What could make it wrong behind its label; what nothing could is certain.
pub(crate) fn doubt(finding: &Finding) -> Option<(&'static str, &str)> {
    let (label, doubt) = match &finding.doubt {
        Doubt::Certain(because) => ("certain", because),
        Doubt::Unless(doubt) => ("unless", doubt),
    };
    (!doubt.is_empty()).then_some((label, doubt.as_str()))
}

/// The path where there is one; else `12 *.json paths below /data, first /data/a.json`.
pub(crate) fn paths(paths: &PathSet) -> String {
    match paths.single() {
        Some(path) => path.to_owned(),
        None => format!("{}, first {}", many_paths(paths), paths.first),
    }
}

/// The path where there is one; else `12 *.json paths below /data`.
pub(crate) fn one_or_many_paths(paths: &PathSet) -> String {
    paths.single().map_or_else(|| many_paths(paths), str::to_owned)
}

/// `12 *.json paths below /data`.
pub(crate) fn many_paths(paths: &PathSet) -> String {
    let below = paths.directory.as_ref().map(|directory| format!(" below {directory}"));
    format!("{}{}", count_of_paths(paths), below.unwrap_or_default())
}

/// `12 or more *.json paths`.
pub(crate) fn count_of_paths(paths: &PathSet) -> String {
    let more = if paths.is_lower_bound { "or more " } else { "" };
    let extension = paths.extension.as_ref().map(|extension| format!("*{extension} "));
    let noun = if paths.count == 1 { "path" } else { "paths" };
    let noun = if paths.is_lower_bound { "paths" } else { noun };
    format!("{} {more}{}{noun}", grouped(paths.count), extension.unwrap_or_default())
}

/// `read_all (src/main.rs:12)`, as much as is known of a place in code.
pub(crate) fn frame(frame: &Frame) -> String {
    let line = frame.line.map(|line| format!(":{line}")).unwrap_or_default();
    let source = frame.file.as_ref().map(|file| format!("{file}{line}"));
    let address = frame.address.map(|address| format!("+{address:#x}")).unwrap_or_default();
    let module = frame.module.as_ref().map(|module| format!("{module}{address}"));
    match (&frame.function, source.or(module)) {
        (Some(function), Some(place)) => format!("{function} ({place})"),
        (Some(function), None) => function.clone(),
        (None, Some(place)) => place,
        (None, None) => "code without a name".to_owned(),
    }
}

/// Of a finding whose place is known by some of its calls.
pub(crate) const SAMPLED: &str = "of some of its calls the stack was taken, and all of these came from there";

/// `src/main.rs:12`, where the program's own line is known; else the program; else `-`.
pub(crate) fn place(finding: &Finding) -> String {
    let line = finding.place.first_of_yours().and_then(|frame| Some((frame.file.as_ref()?, frame.line?)));
    match (line, &finding.place.program) {
        (Some((file, line)), _) => format!("{file}:{line}"),
        (None, Some(program)) => program.clone(),
        (None, None) => "-".to_owned(),
    }
}

/// `3 things to mend: 1 danger, 2 costs`: what nobody lives with and its user can mend.
pub(crate) fn to_mend(audit: &Audit) -> String {
    let live = || audit.findings.iter().filter(|finding| finding.suppressed.is_none());
    let dangers = live().filter(|finding| finding.class == FindingClass::Correctness).count() as u64;
    let costs = live()
        .filter(|finding| finding.class == FindingClass::Cost && finding.owner_by_calls == Owner::Yours);
    let costs = costs.count() as u64;
    let seen = if audit.gaps.is_empty() { "" } else { " among what was seen" };
    if dangers + costs == 0 {
        let none = if live().count() == 0 { "No findings" } else { "Nothing to mend" };
        return format!("{none}{}{seen}", by_some_rules(&audit.rules));
    }
    let counted = [(dangers, "danger"), (costs, "cost")];
    let counted: Vec<_> =
        counted.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| things(*count, noun)).collect();
    let things = if dangers + costs == 1 { "thing" } else { "things" };
    let things = format!("{} {things}", grouped(dangers + costs));
    if audit.has_lost() {
        return format!("{things} to look at, which lost calls may explain: {}", counted.join(", "));
    }
    format!("{things} to mend: {}", counted.join(", "))
}

/// ` by R13, R15 alone`, ` by rules other than R15`: what other rules would find is not known.
fn by_some_rules(rules: &RuleChoice) -> String {
    let named = |rules: &[RuleId]| rules.iter().map(RuleId::to_string).collect::<Vec<_>>().join(", ");
    match (&rules.only[..], &rules.ignore[..]) {
        ([], []) => String::new(),
        ([], ignored) => format!(" by rules other than {}", named(ignored)),
        (only, ignored) => {
            let judged: Vec<RuleId> = only.iter().copied().filter(|rule| !ignored.contains(rule)).collect();
            if judged.is_empty() {
                ": no rule judged".to_owned()
            } else {
                format!(" by {} alone", named(&judged))
            }
        }
    }
}

/// `3 findings (1 high, 2 info) and 1 negligible`: what is in parentheses adds up to the first number.
pub(crate) fn tally(audit: &Audit) -> String {
    let counting: Vec<_> = audit.findings.iter().filter(|finding| finding.suppressed.is_none()).collect();
    let of = |severity| counting.iter().filter(|finding| finding.severity == severity).count();
    let suppressed = audit.findings.len() - counting.len();
    let counted: Vec<String> = [Severity::High, Severity::Warn, Severity::Info]
        .into_iter()
        .filter(|&severity| of(severity) > 0)
        .map(|severity| format!("{} {}", of(severity), self::severity(severity)))
        .collect();
    let negligible = audit.trifles.len();
    let beside: Vec<String> = [(suppressed, "suppressed"), (negligible, "negligible")]
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, word)| format!("{} {word}", grouped(count as u64)))
        .collect();
    let beside = match (counting.is_empty(), beside.is_empty()) {
        (_, true) => String::new(),
        (true, false) => format!(" ({})", beside.join(", ")),
        (false, false) => format!(" and {}", beside.join(" and ")),
    };
    let counted = if counted.is_empty() { String::new() } else { format!(" ({})", counted.join(", ")) };
    let findings = match counting.len() {
        0 if !audit.gaps.is_empty() => {
            format!("No findings{} among what was seen", by_some_rules(&audit.rules))
        }
        0 => format!("No findings{}", by_some_rules(&audit.rules)),
        n => things(n as u64, "finding"),
    };
    format!("{findings}{counted}{beside}")
}

/// `2 processes, 4,312 file calls, 120 files opened; nothing lost, nothing unseen`.
pub(crate) fn watched(audit: &Audit) -> String {
    format!("{}; {}", extent(audit), completeness(audit))
}

/// `2 processes, 4,312 file calls, nothing lost, nothing unseen`.
pub(crate) fn briefly_watched(audit: &Audit) -> String {
    format!("{}, {}, {}", processes(audit), things(audit.file_calls(), "file call"), completeness(audit))
}

/// The same where calls on memory without a file are counted, too: `3 processes, 1,800 calls (1,723 on files, 77 on
/// memory)`.
pub(crate) fn briefly_watched_in_all(audit: &Audit, calls: u64) -> String {
    match calls.saturating_sub(audit.file_calls()) {
        0 => briefly_watched(audit),
        on_memory => format!(
            "{}, {} ({} on files, {} on memory), {}",
            processes(audit),
            things(calls, "call"),
            grouped(audit.file_calls()),
            grouped(on_memory),
            completeness(audit)
        ),
    }
}

/// `nothing lost, nothing unseen`, or that there are gaps, which are said beside it.
fn completeness(audit: &Audit) -> String {
    let mut kinds: Vec<_> = audit.gaps.iter().map(|gap| gap.kind.word()).collect();
    kinds.dedup();
    if kinds.is_empty() {
        "nothing lost, nothing unseen".to_owned()
    } else {
        format!("incomplete ({}): counts are lower bounds", kinds.join(", "))
    }
}

fn processes(audit: &Audit) -> String {
    match audit.processes {
        1 => "1 process".to_owned(),
        n => format!("{} processes", grouped(n)),
    }
}

/// `2 processes, 4,312 file calls, 120 files opened`.
pub(crate) fn extent(audit: &Audit) -> String {
    let processes = processes(audit);
    let (calls, files) = (things(audit.file_calls(), "file call"), things(audit.files_opened, "file"));
    format!("{processes}, {calls}, {files} opened")
}

#[cfg(test)]
mod tests;

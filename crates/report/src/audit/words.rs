//! Words that all forms of an audit say alike: how bad, how often, how dear, where, whose.

use crate::quantity::{grouped, percent, short_time, things, three_digits};
use fathom_audit::{Audit, Finding, FindingPrice, Frame, Owner, PathCount, Severity};
use fathom_model::Reading;

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

/// Whose code it is; `None` where it is the program's own.
pub(crate) fn owner(owner: Owner) -> Option<&'static str> {
    match owner {
        Owner::Yours => None,
        Owner::Runtime => Some("the runtime's"),
        Owner::Libc => Some("the C library's"),
        Owner::Loader => Some("the dynamic loader's"),
    }
}

/// `30 times, 1.50 per file opened`.
pub(crate) fn frequency(finding: &Finding) -> String {
    let each = finding.per_file_opened.filter(|&each| each >= PER_FILE_MIN);
    let each = each.map(|each| format!(", {} per file opened", three_digits(each)));
    format!("{}{}", things(finding.count, "time"), each.unwrap_or_default())
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
    Some(format!("{}{interval} untraced{share}{without}", short_time(price.total_ns)))
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

/// `Mending all of this saves at most 12.0 ms of the 340 ms that its file calls take (3.5 %)`.
pub(crate) fn savings(audit: &Audit) -> Option<String> {
    let savings = audit.savings.as_ref()?;
    let most_ns = savings.high_ns.unwrap_or(savings.total_ns).min(savings.of_ns);
    let without = match savings.calls_without_price {
        0 => String::new(),
        some => format!(", and {} without a price", things(some, "call")),
    };
    Some(format!(
        "Mending all of this saves at most {} of the {} that its file calls take ({}){without}",
        short_time(most_ns),
        short_time(savings.of_ns),
        percent(most_ns / savings.of_ns),
    ))
}

/// `most of it in /srv/node_modules/jsdom (10,868), /srv/node_modules/rxjs (3,929)`, or the path
/// with the most.
pub(crate) fn concentration(finding: &Finding) -> Option<String> {
    let told = |count: &PathCount| format!("{} ({})", count.path, grouped(count.count));
    if !finding.directories.is_empty() {
        let directories: Vec<_> = finding.directories.iter().map(told).collect();
        return Some(format!("most of it in {}", directories.join(", ")));
    }
    let most = finding.most_at.as_ref().filter(|most| most.count > 1 && most.count < finding.count)?;
    Some(format!("most often {}", told(most)))
}

/// True where a price list was at hand.
pub(crate) fn has_prices(audit: &Audit) -> bool {
    audit.call_prices_ns.iter().any(Option::is_some)
        || audit.findings.iter().any(|finding| finding.price.value().is_some())
}

/// What could make it wrong behind its label; what nothing could is certain.
pub(crate) fn doubt(finding: &Finding) -> Option<(&'static str, &str)> {
    match (finding.doubt.as_str(), finding.doubt.strip_prefix("none: ")) {
        ("", _) => None,
        (_, Some(because)) => Some(("certain", because)),
        (doubt, None) => Some(("unless", doubt)),
    }
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

/// `src/main.rs:12`, where the program's own line is known; else the program; else `-`.
pub(crate) fn place(finding: &Finding) -> String {
    let line = finding.place.first_of_yours().and_then(|frame| Some((frame.file.as_ref()?, frame.line?)));
    match (line, &finding.place.program) {
        (Some((file, line)), _) => format!("{file}:{line}"),
        (None, Some(program)) => program.clone(),
        (None, None) => "-".to_owned(),
    }
}

/// `3 findings (1 high, 2 info, 1 trifle) in 4,312 calls of 2 processes, 120 files opened`.
pub(crate) fn tally(audit: &Audit) -> String {
    let counting: Vec<_> = audit.findings.iter().filter(|finding| finding.suppressed.is_none()).collect();
    let of = |severity| counting.iter().filter(|finding| finding.severity == severity).count();
    let suppressed = audit.findings.len() - counting.len();
    let mut counted: Vec<String> = [Severity::High, Severity::Warn, Severity::Info]
        .into_iter()
        .filter(|&severity| of(severity) > 0)
        .map(|severity| format!("{} {}", of(severity), self::severity(severity)))
        .collect();
    if suppressed > 0 {
        counted.push(format!("{suppressed} suppressed"));
    }
    if !audit.trifles.is_empty() {
        counted.push(things(audit.trifles.len() as u64, "trifle"));
    }
    let counted = if counted.is_empty() { String::new() } else { format!(" ({})", counted.join(", ")) };
    let findings = match counting.len() {
        0 if !audit.gaps.is_empty() => "No findings among what was seen".to_owned(),
        0 => "No findings".to_owned(),
        n => things(n as u64, "finding"),
    };
    format!("{findings}{counted}")
}

/// `2 findings (1 high) in 4,312 calls of 2 processes, 120 files opened; nothing lost, nothing unseen`.
pub(crate) fn tally_and_extent(audit: &Audit) -> String {
    format!("{} in {}; {}", tally(audit), extent(audit), completeness(audit))
}

/// `nothing lost, nothing unseen`, or of how much the contrary was said above.
fn completeness(audit: &Audit) -> String {
    let mut kinds: Vec<_> = audit.gaps.iter().map(|gap| gap.kind.word()).collect();
    kinds.dedup();
    if kinds.is_empty() {
        "nothing lost, nothing unseen".to_owned()
    } else {
        format!("incomplete ({}): counts are lower bounds", kinds.join(", "))
    }
}

/// `4,312 calls of 2 processes, 120 files opened`.
pub(crate) fn extent(audit: &Audit) -> String {
    let processes = match audit.processes {
        1 => "1 process".to_owned(),
        n => format!("{n} processes"),
    };
    let (calls, files) = (things(audit.events, "call"), things(audit.files_opened, "file"));
    format!("{calls} of {processes}, {files} opened")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;
    use fathom_audit::Savings;

    #[test]
    fn numbers_that_say_nothing_are_left_out() {
        let mut finding = sample().findings.remove(0);
        (finding.count, finding.per_file_opened) = (1, Some(0.004));
        assert_eq!(frequency(&finding), "1 time");
        (finding.count, finding.per_file_opened) = (1234, Some(1.5));
        assert_eq!(frequency(&finding), "1,234 times, 1.50 per file opened");
    }

    #[test]
    fn savings_are_told_by_their_upper_end_and_never_beyond_the_whole() {
        let mut audit = sample();
        let mut savings = Savings {
            total_ns: 11e6,
            low_ns: Some(10e6),
            high_ns: Some(12e6),
            calls: 30,
            calls_without_price: 0,
            of_ns: 340e6,
            share: 11.0 / 340.0,
        };
        let mut told = |savings: &Savings| {
            audit.savings = Some(savings.clone());
            self::savings(&audit).unwrap()
        };
        let words =
            "Mending all of this saves at most 12.0 ms of the 340 ms that its file calls take (3.5 %)";
        assert_eq!(told(&savings), words);
        (savings.high_ns, savings.calls_without_price) = (Some(900e6), 1234);
        assert!(told(&savings).contains("at most 340 ms of the 340 ms"));
        assert!(told(&savings).ends_with(", and 1,234 calls without a price"));
    }

    #[test]
    fn where_most_of_it_is_is_told_by_directory_or_path() {
        let mut finding = sample().findings.remove(0);
        let at = |path: &str, count| PathCount { path: path.to_owned(), count };
        finding.count = 14_800;
        (finding.most_at, finding.directories) = (Some(at("/srv/a", 1)), vec![]);
        assert_eq!(concentration(&finding), None, "all paths are alike");
        finding.most_at = Some(at("/srv/a", 40));
        assert_eq!(concentration(&finding).unwrap(), "most often /srv/a (40)");
        finding.directories = vec![at("/srv/jsdom", 10_868), at("/srv/rxjs", 3_929)];
        assert_eq!(concentration(&finding).unwrap(), "most of it in /srv/jsdom (10,868), /srv/rxjs (3,929)");
    }

    #[test]
    fn of_a_frame_is_said_what_is_known() {
        let mut known = Frame {
            function: Some("main".to_owned()),
            file: Some("a.c".to_owned()),
            line: Some(7),
            module: Some("/bin/a".to_owned()),
            address: Some(0x1f),
            owner: Owner::Yours,
        };
        assert_eq!(frame(&known), "main (a.c:7)");
        (known.file, known.line) = (None, None);
        assert_eq!(frame(&known), "main (/bin/a+0x1f)");
        known.function = None;
        assert_eq!(frame(&known), "/bin/a+0x1f");
        known.module = None;
        assert_eq!(frame(&known), "code without a name");
    }

    #[test]
    fn what_is_lived_with_is_counted_apart() {
        let mut audit = sample();
        assert!(tally(&audit).contains("1 suppressed"), "{}", tally(&audit));
        audit.findings.retain(|finding| finding.suppressed.is_some());
        assert!(
            tally(&audit).starts_with("No findings among what was seen (1 suppressed)"),
            "{}",
            tally(&audit)
        );
    }
}

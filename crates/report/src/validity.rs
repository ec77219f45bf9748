//! Reasons why a comparison is none of what its sides are said to do, in words.

use crate::page::{Ink, Page};
use crate::quantity::grouped;
use crate::visible::visible;
use fathom_model::{Feature, ValidityFlag, ValidityProblem};

/// What is said of all of them, before the first.
pub(crate) const HEADING: &str = "NOT a valid comparison:";

/// One reason as a sentence; `names` has what each side is called.
pub fn validity_sentence(flag: &ValidityFlag, names: &[String]) -> String {
    let name = |side: &usize| names.get(*side).map_or("?", String::as_str);
    let all = listed(&flag.sides.iter().map(name).collect::<Vec<_>>());
    let feature = flag.feature.map_or("", Feature::word);
    let errno = flag.errno.as_deref().unwrap_or("an error");
    let words = match (flag.problem, flag.feature) {
        (ValidityProblem::SameProgram, _) => {
            format!("{all} are the same program (SHA-256) with the same arguments: any difference is noise")
        }
        (ValidityProblem::NeverHappened, Some(Feature::IoUring)) => {
            format!("{all}: io_uring was never entered (no io_uring_enter)")
        }
        (ValidityProblem::NeverHappened, Some(Feature::DirectIo)) => {
            format!("{all}: no file was opened with O_DIRECT")
        }
        (ValidityProblem::NeverHappened, Some(Feature::Mapping)) => format!("{all}: no data was mapped"),
        (ValidityProblem::NeverHappened, of) => {
            format!("{all}: {feature} was never called{}", of.map_or("", why_never))
        }
        (ValidityProblem::Refused, Some(Feature::DirectIo)) => {
            let path = flag.path.as_ref().map(|path| format!(" for {}", visible(path))).unwrap_or_default();
            format!("{all}: O_DIRECT was refused{path} ({errno}); what was read went through the cache")
        }
        (ValidityProblem::Refused, _) => format!("{all}: {feature} was refused ({errno})"),
        (ValidityProblem::WithoutEffect, Some(Feature::DirectIo)) => {
            format!("{all}: O_DIRECT does nothing here: the files lie in memory")
        }
        (ValidityProblem::WithoutEffect, _) => {
            format!(
                "{all}: the advice does nothing here: the data is in the page cache already, or the advice is NORMAL"
            )
        }
        (ValidityProblem::ReadNothing, _) => format!("{all} read no data, where the other side did"),
        (ValidityProblem::OtherData, _) => other_data(flag, &all),
        (ValidityProblem::OtherCacheState, Some(Feature::DirectIo)) => {
            format!("{all} reads around the page cache (O_DIRECT), the other side from it")
        }
        (ValidityProblem::OtherCacheState, Some(_)) => {
            format!("{all} drops what it read from the page cache (DONTNEED), the other side does not")
        }
        (ValidityProblem::OtherCacheState, None) => {
            format!("the cache state of {all} is not proven, that of the others is")
        }
        (ValidityProblem::SameCalls, _) => {
            format!("{all} make the same calls: there is no difference of calls to measure")
        }
    };
    visible(&words)
}

/// What to do about it.
pub fn validity_hint(problem: ValidityProblem) -> &'static str {
    match problem {
        ValidityProblem::SameProgram => "name the program that you changed; was it built again?",
        ValidityProblem::NeverHappened | ValidityProblem::Refused => {
            "`fathom audit -- COMMAND` or `strace -f` shows what is called instead"
        }
        ValidityProblem::WithoutEffect => "compare where it can act: --cache cold, or files on a device",
        ValidityProblem::ReadNothing | ValidityProblem::OtherData => {
            "have both sides read the same data: the same files, to their end"
        }
        ValidityProblem::OtherCacheState => "have both sides begin and end in one cache state",
        ValidityProblem::SameCalls => "what differs is the program's own work; counts cannot tell it",
    }
}

/// Shows what there is of it: what voids a comparison as such, the rest as notes.
pub(crate) fn show(page: &mut Page, flags: &[ValidityFlag], names: &[String]) {
    let (void, notes): (Vec<_>, Vec<_>) = flags.iter().partition(|flag| flag.problem.voids());
    if let Some(first) = void.first() {
        page.row("  ", HEADING, Ink::Bad);
        for flag in &void {
            page.hanging("    ", 6, Ink::Bad, &validity_sentence(flag, names));
        }
        page.hanging("    ", 6, Ink::Plain, &format!("hint: {}", validity_hint(first.problem)));
    }
    for flag in notes {
        page.hanging("  note: ", 8, Ink::Plain, &validity_sentence(flag, names));
    }
}

fn why_never(feature: Feature) -> &'static str {
    match feature {
        Feature::FileAdvice | Feature::MemoryAdvice => {
            " (glibc's posix_madvise(POSIX_MADV_DONTNEED) makes no call at all)"
        }
        _ => "",
    }
}

fn other_data(flag: &ValidityFlag, all: &str) -> String {
    let path = flag.path.as_ref().map(|path| format!(", first at {}", visible(path))).unwrap_or_default();
    match flag.bytes.as_slice() {
        [one, other] if one != other => {
            format!("{all} read different data: {} B and {} B{path}", grouped(*one), grouped(*other))
        }
        [_, _] => format!("{all} read different data{path}"),
        _ => format!("{all} answers otherwise than the data says, or than the other side"),
    }
}

/// `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

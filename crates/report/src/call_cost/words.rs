//! Sentences about calls that were made again, delayed or left out.

use super::interval;
use crate::quantity::{grouped, percent, short_time, things};
use fathom_audit::{
    CallCost, CallTime, CostAnswer, CostMethod, CostQuestion, CostWindows, ReachedCalls, WrittenFiles,
};
use fathom_model::Reading;

/// The language of a command whose program is somebody else's, and runs the user's.
pub(super) fn interpreter(words: &[String]) -> Option<&'static str> {
    const KNOWN: [(&str, &str); 8] = [
        ("python", "Python"),
        ("pypy", "Python"),
        ("node", "Node"),
        ("java", "Java"),
        ("ruby", "Ruby"),
        ("perl", "Perl"),
        ("php", "PHP"),
        ("deno", "Deno"),
    ];
    // `env A=B python3 app.py`
    let is_prefix = |word: &&String| word.as_str() == "env" || word.ends_with("/env") || word.contains('=');
    let program = words.iter().find(|word| !is_prefix(word))?.rsplit('/').next()?;
    let version = |rest: &str| rest.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    KNOWN
        .iter()
        .find(|(name, _)| program.strip_prefix(name).is_some_and(version))
        .map(|(_, language)| *language)
}

/// What was the same in all runs.
pub(super) fn behavior(cost: &CallCost) -> String {
    let same = "end, standard output, standard error and its own calls were the same in all runs";
    match cost.written {
        None => format!("{same}; files that it writes were not compared"),
        Some(WrittenFiles { compared: 0, left_out: 0 }) => format!("{same}; it writes no file by name"),
        Some(WrittenFiles { compared, left_out: 0 }) => {
            format!("{same}, and what is in the {} that it writes", things(compared, "file"))
        }
        Some(WrittenFiles { compared, left_out }) => format!(
            "{same}, and what is in the {} that it writes; {} others were not compared",
            things(compared, "file"),
            grouped(left_out)
        ),
    }
}

/// What should be nothing, and how far it is.
pub(super) fn control(cost: &CallCost, answer: &CostAnswer) -> String {
    let is_elided = cost.method == CostMethod::Elided;
    let what = if windows(cost).is_some() { "windows" } else { "runs" };
    format!(
        "two {what} with nothing {} differ by {}; {}: {}",
        if is_elided { "left out" } else { "added" },
        interval(answer.control.same),
        if is_elided { "two with it left out" } else { "off a straight line" },
        interval(answer.control.bend)
    )
}

fn windows(cost: &CallCost) -> Option<&CostWindows> {
    cost.toggling.as_ref()?.windows.as_ref()
}

/// How runs with windows went.
pub(super) fn toggled(cost: &CallCost) -> Option<String> {
    let toggling = cost.toggling.as_ref()?;
    let windows = toggling.windows.as_ref()?;
    let runs = cost.runs.iter().filter(|run| run.windows > 0).count() as u64;
    let said = format!(
        "{} of windows of {} each, in random order inside {}, seed {} ({})",
        things(windows.pairs, "pair"),
        things(windows.calls.into(), "call"),
        things(runs, "run"),
        cost.seed,
        toggling.why
    );
    let left_out = [
        (windows.uneven, "where calls went past"),
        (windows.stopped[0], "of CPU time, where they stopped differently often"),
        (windows.stopped[1], "of wall time, where one stopped"),
    ];
    let left_out: Vec<_> = left_out
        .into_iter()
        .filter(|(pairs, _)| *pairs > 0)
        .map(|(pairs, why)| format!("{} {why}", grouped(pairs)))
        .collect();
    let left_out = match left_out.as_slice() {
        [] => String::new(),
        left_out => format!("; pairs left out: {}", left_out.join(", ")),
    };
    Some(format!("{said}{left_out}; intervals hold at 95 % whenever one looks"))
}

/// Which calls were reached, and which went past.
pub(super) fn reach(cost: &CallCost) -> String {
    let one = |calls: &ReachedCalls| {
        let past = calls.fit.saturating_sub(calls.treated);
        let reached = [grouped(calls.treated.min(calls.fit)), grouped(calls.meant)];
        let mut said = vec![format!("{} {} of {} reached", calls.call, reached[0], reached[1])];
        if let Some(elided) = calls.elided {
            let unknown = calls.treated.saturating_sub(elided);
            said.push(format!("{} left out", grouped(elided)));
            if unknown > 0 {
                said.push(format!("{} with an answer that was not known", grouped(unknown)));
            }
        }
        if calls.meant > calls.fit {
            said.push(format!("{} not fit to be treated", grouped(calls.meant - calls.fit)));
        }
        if past > 0 {
            said.push(format!("{} went past", grouped(past)));
        }
        if calls.treated > calls.fit {
            said.push(format!("with {} others that ask the same", grouped(calls.treated - calls.fit)));
        }
        said.join(", ")
    };
    let mut said: Vec<_> = cost.reach.calls.iter().map(one).collect();
    if cost.reach.unknown > 0 {
        said.push(format!("{} not known one by one", grouped(cost.reach.unknown)));
    }
    if cost.reach.of_others > 0 {
        let others = grouped(cost.reach.of_others);
        said.push(format!("{others} more are of the runtime or a library, and not meant"));
    }
    said.extend(cost.reach.refusals.iter().map(|reason| format!("not everywhere: {reason}")));
    if said.is_empty() { "none".to_owned() } else { said.join("; ") }
}

pub(super) fn slopes(cost: &CallCost, answer: &CostAnswer) -> String {
    let treated = cost.reach.treated().max(1);
    let of = |slope: &Reading<CallTime>| match slope {
        Reading::Unavailable(reason) => format!("not known: {reason}"),
        Reading::Value(slope) if cost.question == CostQuestion::Slower => {
            let [median, low, high] = [slope.median, slope.low, slope.high].map(percent);
            format!("{median} [{low}, {high}]")
        }
        Reading::Value(slope) => {
            let each = short_time(slope.median / treated as f64);
            format!("{}, {each} a call", interval(*slope))
        }
    };
    if cost.question == CostQuestion::Slower {
        return of(&answer.wall);
    }
    let of = |slope: &Reading<CallTime>| match slope {
        Reading::Value(slope) if cost.method == CostMethod::Elided => {
            let each = short_time(slope.median / cost.reach.elided().max(1) as f64);
            format!("{}, {each} a call", interval(*slope))
        }
        slope => of(slope),
    };
    let instrument = match answer.instrument_range_ns {
        Some((low, high)) => format!(
            "{}, which the instrument adds to calls that are made, by {} of Fathom's own in the same blocks",
            interval(CallTime { median: answer.instrument_ns, low, high }),
            things(cost.calibration.len() as u64, "program")
        ),
        None => {
            format!("{} of the instrument's own filter, measured apart", short_time(answer.instrument_ns))
        }
    };
    format!("wall {}; CPU {}; without {instrument}", of(&answer.wall), of(&answer.cpu))
}

/// What to do with an answer about a patch, or where there is none.
pub(super) fn next(cost: &CallCost) -> Option<&'static str> {
    let answer = match &cost.answer {
        Reading::Value(answer) => Some(answer).filter(|_| cost.question == CostQuestion::Without)?,
        Reading::Unavailable(reason) if reason.contains("--time") => return None,
        Reading::Unavailable(_) => return Some(after_refusal(cost)),
    };
    let gains = [&answer.wall, &answer.cpu].map(Reading::value);
    Some(if gains.iter().flatten().any(|gain| gain.low > 0.0) {
        "`fathom audit` names the line; `compare --commands` measures a patch"
    } else {
        "leave these calls as they are, or give it more --time"
    })
}

fn after_refusal(cost: &CallCost) -> &'static str {
    match (cost.runs.is_empty(), cost.method) {
        (true, CostMethod::Elided) => {
            "without `--elide` calls that only ask are made again; `fathom audit` says what all calls cost by their unit \
             costs"
        }
        (true, CostMethod::Repeated) => "`fathom audit` says what all calls cost by their unit costs",
        (false, _) => {
            "where a seed, an input or a directory can make its runs alike, give it that; else `fathom audit` says what \
             calls cost by their unit costs"
        }
    }
}

pub(super) fn method(cost: &CallCost) -> &'static str {
    match cost.question {
        CostQuestion::Without if cost.method == CostMethod::Elided => {
            "a call whose answer was known from a call before, with nothing changed since, was not made; the program got \
             that answer. Its own code around the call is not in the gain"
        }
        CostQuestion::Without => {
            "nothing was removed: each call was made 1 and 3 times more behind itself, and the gain is taken to be what \
             one more costs; less than the gain where the first of them is dearer, as when it finds nothing in caches"
        }
        CostQuestion::Twice => "each call was made 1 and 3 times more behind itself, inside the program",
        CostQuestion::Slower => {
            "the program slept behind each call, once, twice and four times as long; shares are of the time that it slept \
             by its own clock"
        }
    }
}

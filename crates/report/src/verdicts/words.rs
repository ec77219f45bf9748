//! Checks, regions and effects in words.

use crate::label::{access_word, alignment_word, buffer_word, setting_label};
use crate::quantity::{bytes, nearly_whole, number, short_time, things, three_digits};
use fathom_claims::{Effect, EffectUnit, Sample};
use fathom_model::{Check, Conditions, Fact, Form, Metric, PlaceKind, Subject};

/// What a check looks at: `time saved by go:syscall.Open over go:os.Open`.
pub(crate) fn check_in_words(check: &Check) -> String {
    match &check.subject {
        Subject::Variants { metric, form, of, to } => {
            let what = metric_in_words(metric);
            let shared = to.as_ref().map(|to| in_common(of, to)).unwrap_or_default();
            let one = conditions_in_words(of, &shared);
            let other = to.as_ref().map(|to| conditions_in_words(to, &shared)).unwrap_or_default();
            let with = conditions_in_words(&shared, &Conditions::default());
            let said = match form {
                Form::Value => format!("{what} of {one}"),
                Form::Ratio => format!("{what} of {one} over that of {other}"),
                Form::Saving => format!("{what} saved by {one} over {other}"),
                Form::Speedup => format!("{what} of {other} over that of {one} (times as fast)"),
                Form::Difference => format!("{what} of {one} less that of {other}"),
            };
            if with.is_empty() || to.is_none() { said } else { format!("{said}, with {with}") }
        }
        Subject::Outcome { case, setting, what, share_of } => {
            let setting = if setting.is_empty() { String::new() } else { format!(", {setting}") };
            let share = share_of.as_ref().map(|of| format!(", as a share of \"{of}\"")).unwrap_or_default();
            format!("\"{what}\"{share}, when trying to {case}{setting}")
        }
        Subject::Figure { case, setting, to, figure, quantile, form } => {
            let which = if (quantile - 0.5).abs() < 1e-9 {
                "median".to_owned()
            } else {
                format!("p{}", quantile * 100.0)
            };
            let what = format!("{which} of \"{figure}\"");
            let other = to.as_deref().unwrap_or_default();
            let said = match form {
                Form::Value => format!("{what}, {setting}"),
                Form::Ratio => format!("{what}, {setting} over {other}"),
                Form::Saving => format!("{what} saved by {setting} over {other}"),
                Form::Speedup => format!("{what}, {other} over {setting} (times as fast)"),
                Form::Difference => format!("{what}, {setting} less {other}"),
            };
            format!("{said}, when trying to {case}")
        }
        Subject::Fact(Fact::ReadAhead) => "read-ahead of the device, in KiB".to_owned(),
        Subject::Fact(Fact::DentryBytes) => "bytes of a directory entry in the kernel".to_owned(),
        Subject::Fact(Fact::InodeBytes) => "bytes of an inode in the kernel".to_owned(),
    }
}

fn metric_in_words(metric: &Metric) -> String {
    match metric {
        Metric::Time => "time".to_owned(),
        Metric::BatchP99 => "99th percentile of the batches".to_owned(),
        Metric::Calls => "system calls".to_owned(),
        Metric::Call(name) => format!("calls of {name}"),
        Metric::Runtime(name) => match name.as_str() {
            "allocs" => "allocations".to_owned(),
            "alloc_bytes" => "bytes allocated".to_owned(),
            "gc_count" => "collections".to_owned(),
            other => other.to_owned(),
        },
        Metric::Counter(name) => format!("{name} (counted by the kernel)"),
        Metric::Predicted(name) => {
            format!("{name} (counted by the kernel), over what the offsets drawn predict,")
        }
        Metric::Stacks(words) => format!("share of samples in {words}"),
        Metric::Resident => "share of pages that the page cache holds".to_owned(),
        Metric::CpuShare => "CPU time, as a share of wall-clock time,".to_owned(),
        Metric::Answer => "answer, over the truth,".to_owned(),
    }
}

/// What both conditions say, and say alike.
fn in_common(one: &Conditions, two: &Conditions) -> Conditions {
    fn same<T: Clone + PartialEq>(one: Option<&T>, two: Option<&T>) -> Option<T> {
        one.filter(|value| Some(*value) == two).cloned()
    }
    Conditions {
        method: same(one.method.as_ref(), two.method.as_ref()),
        operation: same(one.operation.as_ref(), two.operation.as_ref()),
        place: same(one.place.as_ref(), two.place.as_ref()),
        size_bytes: same(one.size_bytes.as_ref(), two.size_bytes.as_ref()),
        files: same(one.files.as_ref(), two.files.as_ref()),
        content: same(one.content.as_ref(), two.content.as_ref()),
        block_bytes: same(one.block_bytes.as_ref(), two.block_bytes.as_ref()),
        buffer: same(one.buffer.as_ref(), two.buffer.as_ref()),
        access: same(one.access.as_ref(), two.access.as_ref()),
        alignment: same(one.alignment.as_ref(), two.alignment.as_ref()),
        cache: same(one.cache.as_ref(), two.cache.as_ref()),
        settings: one
            .settings
            .iter()
            .filter(|(setting, value)| two.settings.get(setting) == Some(value))
            .map(|(setting, value)| (*setting, value.clone()))
            .collect(),
    }
}

/// Conditions in words, less those said elsewhere.
fn conditions_in_words(conditions: &Conditions, said: &Conditions) -> String {
    let mut words = Vec::new();
    let of = conditions;
    words.extend(of.method.as_ref().filter(|_| said.method.is_none()).map(ToString::to_string));
    words.extend(of.operation.filter(|_| said.operation.is_none()).map(|operation| operation.to_string()));
    words.extend(of.place.filter(|_| said.place.is_none()).map(|kind| {
        match kind {
            PlaceKind::Disk => "on a disk",
            PlaceKind::Memory => "in a file system in memory",
            PlaceKind::Memfd => "in a memfd",
            PlaceKind::Ext4 => "on ext4 with a journal and auto_da_alloc",
            PlaceKind::Ext4NoAutoDaAlloc => "on ext4 with noauto_da_alloc",
            PlaceKind::Ext4Discard => "on ext4 with discard",
            PlaceKind::Xfs => "on xfs",
            PlaceKind::Btrfs => "on btrfs",
        }
        .to_owned()
    }));
    words.extend(of.size_bytes.filter(|_| said.size_bytes.is_none()).map(bytes));
    words.extend(of.files.filter(|_| said.files.is_none()).map(|files| things(u64::from(files), "file")));
    words.extend(of.content.filter(|_| said.content.is_none()).map(|content| content.to_string()));
    words.extend(
        of.block_bytes
            .filter(|_| said.block_bytes.is_none())
            .map(|block| format!("blocks of {}", bytes(block))),
    );
    words.extend(
        of.buffer.filter(|_| said.buffer.is_none()).map(|buffer| format!("buffer {}", buffer_word(buffer))),
    );
    words.extend(of.access.filter(|_| said.access.is_none()).map(|access| access_word(access).to_owned()));
    words.extend(
        of.alignment
            .filter(|_| said.alignment.is_none())
            .map(|alignment| alignment_word(alignment).to_owned()),
    );
    words.extend(of.cache.filter(|_| said.cache.is_none()).map(|cache| cache.to_string()));
    let settings = of.settings.iter().filter(|(setting, _)| !said.settings.contains_key(setting));
    words.extend(settings.map(|(setting, value)| setting_label(*setting, value)));
    words.join(" · ")
}

/// Where the value has to lie.
pub(crate) fn region_in_words(check: &Check) -> String {
    let unit = unit_of(check);
    let region = check.region;
    let words = match (region.low, region.high) {
        (Some(low), Some(high)) if (high - low).abs() < f64::EPSILON => {
            format!("exactly {}", limit(low, unit))
        }
        (Some(low), Some(high)) => format!("{} to {}", limit(low, unit), limit(high, unit)),
        (Some(low), None) => format!("at least {}", limit(low, unit)),
        (None, Some(high)) => format!("at most {}", limit(high, unit)),
        (None, None) => "anything".to_owned(),
    };
    if check.usual_margin { format!("{words} (the usual margin)") } else { words }
}

/// An end of a region: written by somebody, and exact.
fn limit(end: f64, unit: EffectUnit) -> String {
    match unit {
        EffectUnit::PerOperation => trimmed(end, 4),
        _ => value(end, unit),
    }
}

/// A number without zeros at its end.
fn trimmed(figure: f64, decimals: usize) -> String {
    let text = number(figure, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn unit_of(check: &Check) -> EffectUnit {
    match &check.subject {
        Subject::Variants { form: Form::Saving, .. }
        | Subject::Figure { form: Form::Saving, .. }
        | Subject::Outcome { share_of: Some(_), .. }
        | Subject::Variants {
            metric: Metric::Stacks(_) | Metric::Resident | Metric::CpuShare,
            form: Form::Value | Form::Difference,
            ..
        } => EffectUnit::Share,
        Subject::Variants { form: Form::Ratio | Form::Speedup, .. }
        | Subject::Figure { form: Form::Ratio | Form::Speedup, .. }
        | Subject::Variants { metric: Metric::Answer, .. } => EffectUnit::Ratio,
        Subject::Variants { metric: Metric::Time | Metric::BatchP99, .. } | Subject::Figure { .. } => {
            EffectUnit::Ns
        }
        Subject::Variants { .. } => EffectUnit::PerOperation,
        Subject::Outcome { .. } | Subject::Fact(_) => EffectUnit::Number,
    }
}

/// An effect with its interval and number.
pub(crate) fn effect_in_words(effect: &Effect) -> String {
    let confidence = effect
        .confidence
        .map(|confidence| format!(" at {} %", number(confidence * 100.0, 2)))
        .unwrap_or_default();
    let n = match effect.sample {
        Sample::Forks => things(effect.n, "fork"),
        Sample::Repetitions => things(effect.n, "repetition"),
        Sample::Stacks => things(effect.n, "sample"),
        Sample::Tries => match effect.n {
            1 => "counted".to_owned(),
            n => format!("of {n}"),
        },
        Sample::Answers => "the same every time".to_owned(),
        Sample::Readings => "read".to_owned(),
    };
    format!("{}{confidence} ({n})", effect_in_short(effect))
}

/// An effect with its interval alone.
pub(crate) fn effect_in_short(effect: &Effect) -> String {
    let shown = |number| value(number, effect.unit);
    let range = match (effect.low, effect.high) {
        (Some(low), Some(high)) if (high - low).abs() > f64::EPSILON => {
            format!(" [{}, {}]", shown(low), shown(high))
        }
        (Some(_), Some(_)) => String::new(),
        _ => " [no interval]".to_owned(),
    };
    format!("{}{range}", shown(effect.value))
}

/// The effect's number without its interval.
pub(crate) fn effect_value(effect: &Effect) -> String {
    value(effect.value, effect.unit)
}

/// What a check's number is, without saying of what: `time saved`, `calls of fstat`.
pub(crate) fn number_in_words(check: &Check) -> String {
    match &check.subject {
        Subject::Variants { metric, form, .. } => {
            let what = match metric {
                Metric::Answer => "answer over the truth".to_owned(),
                Metric::CpuShare => "CPU time over wall-clock time".to_owned(),
                Metric::Counter(name) => name.clone(),
                _ => metric_in_words(metric),
            };
            in_form(*form, what)
        }
        Subject::Figure { figure, form, .. } => in_form(*form, format!("\"{figure}\"")),
        Subject::Outcome { what, .. } => format!("\"{what}\""),
        Subject::Fact(_) => check_in_words(check),
    }
}

fn in_form(form: Form, what: String) -> String {
    match form {
        Form::Value => what,
        Form::Ratio => format!("ratio of {what}"),
        Form::Saving => format!("{what} saved"),
        Form::Speedup => "times as fast".to_owned(),
        Form::Difference => format!("difference of {what}"),
    }
}

fn value(figure: f64, unit: EffectUnit) -> String {
    match unit {
        EffectUnit::Ns if figure < 0.0 => format!("-{}", short_time(-figure)),
        EffectUnit::Ns => short_time(figure),
        // What is nearly 1 is not to read as 1.
        EffectUnit::Ratio if (figure - 1.0).abs() < 0.01 => trimmed(figure, 5),
        EffectUnit::Ratio => three_digits(figure),
        EffectUnit::Share => format!("{} %", number(figure * 100.0, 1)),
        EffectUnit::PerOperation => nearly_whole(figure),
        EffectUnit::Number => number(figure, if figure.fract() == 0.0 { 0 } else { 2 }),
    }
}

//! The whole text of every sample record, as a reader sees it, and properties
//! that no record may break.

use fathom_model::{Operation, Record, Setting, SettingKind, SettingValue};
use fathom_report::{Details, TextOptions, render_summary, render_text};
use fathom_testkit::{all, complete, explained, troubled};
use unicode_width::UnicodeWidthStr;

/// The records whose tables have columns that a wide page puts beside each other.
const WIDE: [&str; 3] = ["published", "scans", "batches"];

fn options(details: Details) -> TextOptions {
    TextOptions { details, ..TextOptions::default() }
}

#[test]
fn every_record_reads_as_recorded() {
    for (name, record) in all() {
        insta::assert_snapshot!(format!("{name}-brief"), render_text(&record, &options(Details::Brief)));
        if WIDE.contains(&name) {
            let wide = TextOptions { width: 120, ..TextOptions::default() };
            insta::assert_snapshot!(format!("{name}-wide"), render_text(&record, &wide));
        }
    }
    insta::assert_snapshot!("complete-full", render_text(&complete(), &options(Details::Full)));
    insta::assert_snapshot!("troubled-full", render_text(&troubled(), &options(Details::Full)));
}

#[test]
fn a_breakdown_reads_as_recorded() {
    let mut record = explained();
    for comparison in record.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons) {
        for explanation in &mut comparison.explanations {
            (explanation.counters, explanation.latencies) = (None, None);
        }
    }
    insta::assert_snapshot!("breakdown-brief", render_text(&record, &options(Details::Brief)));
    insta::assert_snapshot!("breakdown-full", render_text(&record, &options(Details::Full)));
}

#[test]
fn many_comparisons_fit_on_a_few_pages() {
    let record = fathom_testkit::sweep();
    assert_eq!(record.experiments[0].comparisons.len(), 24);
    let text = render_text(&record, &options(Details::Brief));
    assert!(text.lines().count() <= 263, "{} lines", text.lines().count());
    for comparison in &record.experiments[0].comparisons {
        let size = comparison.label.trim_end_matches(" · warm");
        assert!(text.contains(&format!("  {size}: ")), "no table for {size}");
    }
    assert!(
        render_text(&record, &options(Details::Full)).lines().count() > 1000,
        "in full, one after the other"
    );
}

#[test]
fn no_line_is_wider_than_asked_and_none_ends_in_a_blank() {
    for width in [0, 80, 100, 120, 132] {
        for (name, record) in all() {
            for details in [Details::Brief, Details::Full] {
                let text = render_text(&record, &TextOptions { width, details, color: false });
                for line in text.lines() {
                    assert!(line.width() <= width.max(80), "{name} at {width}: {} {line:?}", line.width());
                    assert!(!line.ends_with(' '), "{name}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn color_changes_no_word() {
    for (name, record) in all() {
        let colored = render_text(&record, &TextOptions { color: true, ..TextOptions::default() });
        assert!(colored.contains('\u{1b}'), "{name}");
        let plain = render_text(&record, &TextOptions::default());
        assert_eq!(strip(&colored), plain, "{name}");
    }
}

#[test]
fn what_is_not_a_number_is_never_printed() {
    for (name, mut record) in all() {
        for experiment in &mut record.experiments {
            for summary in experiment.comparisons.iter_mut().flat_map(|c| &mut c.summaries) {
                let fathom_model::Reading::Value(summary) = summary else { continue };
                summary.time_ns.value = f64::NAN;
                summary.loop_ns = summary.ratio;
                let ratios = [&mut summary.ratio, &mut summary.net_ratio, &mut summary.delta_ns];
                for ratio in ratios.into_iter().flatten() {
                    (ratio.value, ratio.low, ratio.high) =
                        (f64::INFINITY, Some(f64::NAN), Some(f64::INFINITY));
                }
                summary.preempted_share = Some(f64::NAN);
                summary.runtime_per_operation.values_mut().for_each(|value| *value = f64::NAN);
            }
        }
        let comparisons = record.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons);
        let broken_down = comparisons.flat_map(|comparison| &mut comparison.explanations);
        for explanation in broken_down {
            let Some(fathom_model::Reading::Value(breakdown)) = &mut explanation.breakdown else { continue };
            (breakdown.total_ns.value, breakdown.error_ns) = (f64::INFINITY, Some(f64::NAN));
            for part in &mut breakdown.parts {
                (part.ns, part.error_ns) = (f64::NAN, Some(f64::INFINITY));
                (part.count, part.price_ns) = (Some(f64::NAN), Some(f64::NEG_INFINITY));
            }
        }
        record.environment.clock_cost_ns = f64::NAN;
        if let fathom_model::Reading::Value(floors) = &mut record.floors {
            (floors.null_call_ns.median, floors.null_call_ns.least) = (f64::NAN, f64::NEG_INFINITY);
        }
        let publications = record.experiments.iter_mut().flat_map(|experiment| &mut experiment.reported);
        publications.flat_map(|publication| &mut publication.figures).for_each(|f| f.value = f64::INFINITY);
        for details in [Details::Brief, Details::Full] {
            let text = render_text(&record, &options(details));
            let bad = text
                .split(|c: char| !c.is_alphanumeric())
                .find(|word| ["nan", "inf"].contains(&word.to_lowercase().as_str()));
            assert_eq!(bad, None, "{name}: {text}");
        }
    }
}

#[test]
fn every_published_figure_and_claim_is_shown_in_every_form() {
    for (name, record) in all() {
        for (width, details) in [(80, Details::Brief), (132, Details::Brief), (80, Details::Full)] {
            let text = render_text(&record, &TextOptions { width, details, color: false });
            let words: Vec<_> = text.split_whitespace().collect();
            let unbroken = words.join(" ");
            for publication in record.experiments.iter().flat_map(|experiment| &experiment.reported) {
                assert!(unbroken.contains(&publication.source), "{name}: {}", publication.source);
                for figure in &publication.figures {
                    let value = figure.value.to_string();
                    let is_it = |word: &&str| word.replace(',', "").trim_start_matches('(') == value;
                    assert!(words.iter().any(is_it), "{name} at {width}: {value} is not shown");
                }
                for claim in &publication.claims {
                    assert!(unbroken.contains(&format!("\"{claim}\"")), "{name}: {claim}");
                }
            }
        }
    }
}

#[test]
fn a_record_without_the_new_fields_says_nothing_of_them() {
    let text = render_text(&complete(), &options(Details::Full));
    for word in ["bounds ", "\nreported", "GB/s", "in all", "WRONG", "†", "device:"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[test]
fn every_operation_and_every_setting_reads_in_a_table() {
    for operation in Operation::ALL {
        let mut record = complete();
        let comparison = &mut record.experiments[0].comparisons[0];
        for variant in &mut comparison.variants {
            variant.operation = operation;
        }
        let text = render_text(&record, &options(Details::Brief));
        assert!(text.contains(&format!("\n  {operation}: ")), "{text}");
        // Where files are new there is no state of the cache to speak of.
        assert_eq!(text.contains("cache: no state"), !operation.takes_files(), "{text}");
    }
    for setting in Setting::ALL {
        let value = match setting.kind() {
            SettingKind::Count(..) | SettingKind::Size(_) => SettingValue::Number(3),
            SettingKind::Words(words) => words[words.len() - 1].into(),
            SettingKind::Text => "128".into(),
        };
        let mut record = complete();
        let set = |record: &mut Record, variant: usize| {
            record.experiments[0].comparisons[0].variants[variant]
                .parameters
                .settings
                .set(setting, value.clone());
        };
        set(&mut record, 1);
        let text = render_text(&record, &options(Details::Brief));
        assert!(text.contains(&format!("differs beside the method: {setting} (")), "{setting}: {text}");
        for variant in 0..5 {
            set(&mut record, variant);
        }
        let text = render_text(&record, &options(Details::Brief));
        assert!(!text.contains("differs beside the method"), "{setting}: {text}");
        let shown = render_text(&complete(), &options(Details::Brief));
        assert_ne!(text, shown, "{setting} is told of the comparison");
    }
}

#[test]
fn an_empty_record_is_said_to_be_empty() {
    let mut record = complete();
    record.experiments.clear();
    assert_eq!(render_summary(&record), "Nothing was compared.");
    assert!(render_text(&record, &TextOptions::default()).starts_with("Nothing was compared.\n"));
}

#[test]
fn control_characters_of_a_record_do_not_reach_the_terminal() {
    let mut record = complete();
    record.command.push("a\u{1b}[2Jb\u{7}".into());
    record.experiments[0].comparisons[0].variants[1].method.name = "os\u{1b}[31m.Open".into();
    let text = render_text(&record, &options(Details::Full));
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
}

/// The text without its ANSI escapes.
fn strip(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            rest.by_ref().find(|&c| c == 'm');
        } else {
            kept.push(c);
        }
    }
    kept
}

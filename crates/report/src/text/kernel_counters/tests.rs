use super::*;
use crate::options::{Details, TextOptions};
use fathom_model::counter_name as name;
use fathom_model::{CounterUnit, Explanation, KernelCounter, Prediction, RequestSizes, Scope};
use fathom_testkit::complete;

fn counter(name: &str, scope: Scope, unit: CounterUnit, differences: Reading<Vec<i64>>) -> KernelCounter {
    let source = format!("source of {name}");
    KernelCounter { name: name.to_owned(), source, scope, unit, differences }
}

fn pass(counters: Vec<KernelCounter>) -> EvidencePass {
    let (requests, predictions) = (Vec::new(), Vec::new());
    EvidencePass { run_lengths: [100, 200], repetitions: 3, counters, requests, predictions }
}

fn shown(details: Details, passes: Vec<Reading<EvidencePass>>) -> String {
    let mut comparison = complete().experiments.remove(0).comparisons.remove(0);
    let labels: Vec<_> = comparison.variants.iter().map(|v| v.method.to_string()).collect();
    comparison.explanations = passes
        .into_iter()
        .map(|pass| Explanation { counters: Some(pass), ..Explanation::default() })
        .collect();
    let mut page = Page::new(&TextOptions { details, ..TextOptions::default() });
    render(&mut page, &comparison, &labels);
    page.finish()
}

fn events(name: &str, values: &[i64]) -> KernelCounter {
    counter(name, Scope::Task, CounterUnit::Events, Reading::Value(values.to_vec()))
}

#[test]
fn what_no_method_did_is_left_out_but_in_full() {
    let counters = || {
        vec![
            events(name::MINOR_FAULTS, &[300, 300, 300]),
            events(name::MAJOR_FAULTS, &[0, 0, 0]),
            counter("inodes", Scope::Machine, CounterUnit::Events, Reading::Value(vec![90, 100, 120])),
            counter(
                name::CPU_TIME,
                Scope::Task,
                CounterUnit::Ns,
                Reading::Value(vec![-100, 150_000, 160_000]),
            ),
        ]
    };
    let brief = shown(Details::Brief, vec![Reading::Value(pass(counters()))]);
    assert!(brief.contains("minor-faults") && !brief.contains("major-faults"), "{brief}");
    assert!(brief.contains("machine: inodes") && brief.contains("whoever did it"), "{brief}");
    assert!(brief.contains("1500 ns") && brief.contains("200 operations less runs of 100"), "{brief}");
    let full = shown(Details::Full, vec![Reading::Value(pass(counters()))]);
    assert!(full.contains("major-faults") && full.contains("source of inodes"), "{full}");
    assert!(full.contains("90 to 120 in all") && full.contains("-100 ns to"), "{full}");
}

#[test]
fn a_prediction_says_whether_it_held() {
    let of = |values: &[i64]| {
        let prediction =
            |expected| Prediction { name: name::BIO_QUEUE.into(), expected, because: "runs".into() };
        let pass = EvidencePass {
            predictions: vec![prediction(3901)],
            ..pass(vec![events(name::BIO_QUEUE, values)])
        };
        shown(Details::Brief, vec![Reading::Value(pass)])
    };
    assert!(of(&[3901, 3901]).contains("block_bio_queue predicted 3,901, exact"));
    let text = of(&[3901, 3905]);
    assert!(
        text.contains("NOT as predicted: block_bio_queue 3,901 to 3,905") && !text.contains("exact"),
        "{text}"
    );
}

#[test]
fn a_prediction_is_exact_beside_reads_of_metadata() {
    let prediction = Prediction { name: name::BIO_QUEUE.into(), expected: 3901, because: "runs".into() };
    let of = |outside| {
        let counters = vec![events(name::BIO_QUEUE, &[3902]), events(name::OUTSIDE_READS, &[outside])];
        let pass = EvidencePass { predictions: vec![prediction.clone()], ..pass(counters) };
        shown(Details::Brief, vec![Reading::Value(pass)]).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = of(1);
    assert!(text.contains("predicted 3,901, exact beside 1 read outside the file"), "{text}");
    assert!(of(2).contains("NOT as predicted: block_bio_queue 3,902"));
}

#[test]
fn a_device_that_did_no_more_than_the_method_is_left_out_of_the_brief_text() {
    let of = |on_device: i64| {
        let on_device = Reading::Value(vec![on_device]);
        let device = counter(name::BIO_QUEUE, Scope::Device, CounterUnit::Events, on_device);
        vec![Reading::Value(pass(vec![events(name::BIO_QUEUE, &[500]), device]))]
    };
    assert!(!shown(Details::Brief, of(500)).contains("device: block_bio_queue"));
    assert!(shown(Details::Full, of(500)).contains("device: block_bio_queue"));
    assert!(shown(Details::Brief, of(501)).contains("device: block_bio_queue"));
}

#[test]
fn sizes_of_requests_stand_in_one_line_for_each_kind() {
    let requests = RequestSizes { kind: "read".into(), sizes: vec![(4096, 40), (16_384, 1953)], lost: 7 };
    let flushes = RequestSizes { kind: "flush".into(), sizes: vec![(0, 2)], lost: 0 };
    let pass = EvidencePass { requests: vec![requests, flushes], ..pass(vec![]) };
    let text = shown(Details::Brief, vec![Reading::Value(pass)]);
    assert!(text.contains("read requests: 1,953 of 16 KiB, 40 of 4 KiB, 7 not kept"), "{text}");
    assert!(text.contains("flush requests: 2\n"), "{text}");
}

#[test]
fn counters_that_could_not_be_had_share_a_line_for_each_reason() {
    let refused = || Reading::unavailable("needs root: tracefs");
    let names = ["block_bio_queue", "block_rq_issue", "block_touch_buffer", "page-cache-added"];
    let counters = || names.map(|name| counter(name, Scope::Task, CounterUnit::Events, refused())).to_vec();
    let passes = || vec![Reading::Value(pass(counters())), Reading::Value(pass(counters()))];
    let text = shown(Details::Brief, passes());
    assert_eq!(text.matches("needs root").count(), 1, "{text}");
    assert!(text.contains("block_bio_queue, block_rq_issue and 2 more: needs root: tracefs"), "{text}");
    assert!(shown(Details::Full, passes()).contains("page-cache-added"));
    let mut some = passes();
    some[1] = Reading::unavailable("the driver died");
    let text = shown(Details::Brief, some);
    assert!(text.contains("kernel counters unavailable (") && text.contains(": the driver died"), "{text}");
}

#[test]
fn a_record_without_them_says_nothing() {
    assert_eq!(shown(Details::Full, vec![]), "");
}

#[test]
fn less_than_nothing_and_less_than_a_tick_are_said_to_be_so() {
    let user = counter("user-time", Scope::Task, CounterUnit::Ns, Reading::Value(vec![0, 10_000_000]));
    let counters = vec![
        events("minor-faults", &[-30, -20, 10]),
        user,
        events("cpu-migrations", &[0, 0]),
        events("x", &[9, 9]),
    ];
    let text = shown(Details::Full, vec![Reading::Value(pass(counters))]);
    let row = |name: &str| {
        let row = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
        row.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((row("minor-faults"), row("user-time")), ("~0".to_owned(), "< 1.00 ms".to_owned()), "{text}");
    assert!(text.contains("0 in every run:"), "{text}");
    assert_eq!(text.matches("cpu-migrations").count(), 1, "{text}");
    let row = row::rows(
        &[Seen { label: "go:x", pass: &pass(vec![events("minor-faults", &[-30, -20, 10])]) }],
        true,
        true,
    );
    let in_all = row[0].cell_in_all(&pass(vec![events("minor-faults", &[-30, -20, 10])]));
    assert_eq!(in_all, "~0", "of a batch in all too");
}

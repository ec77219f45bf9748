use super::*;
use crate::wrap::width;
use fathom_model::{Comparison, Noise, PlaceFacts, Reading, Record, Severity, Warning};
use fathom_stats::Aim;
use fathom_testkit::{complete, quiet_noise, troubled};
use std::time::Duration;

const AIM: Aim = Aim::Precision { wanted: 0.005, reached: Some(0.013) };

/// A run that is timing the first comparison of a record.
struct Run {
    comparison: Comparison,
    places: Vec<PlaceFacts>,
    noise: Noise,
    others_cpus: Reading<f64>,
    warnings: Vec<Warning>,
}

impl Run {
    fn of(record: Record) -> Self {
        let comparison = record.experiments[0].comparisons[0].clone();
        Self {
            comparison: Comparison { forks: Vec::new(), arms: Vec::new(), ..comparison },
            places: record.places,
            noise: quiet_noise(60.0),
            others_cpus: Reading::Value(0.02),
            warnings: Vec::new(),
        }
    }

    fn state(&self) -> LiveState<'_> {
        let forks = self.comparison.summaries.iter().filter_map(Reading::value).map(|s| s.time_ns.forks);
        LiveState {
            entry: Some(Position { name: "open-go", number: 1, of: 5 }),
            comparison: Some(Position { name: "128 B · warm", number: 2, of: 8 }),
            pass: Pass::Timing,
            clock: LiveClock {
                elapsed: Duration::from_secs(65),
                left: Some(TimeLeft::All(Duration::from_secs(178))),
                timing: Some((Duration::from_secs(12), Duration::from_secs(20))),
                last: false,
            },
            times: Some(LiveTimes {
                comparison: &self.comparison,
                places: &self.places,
                forks: usize::try_from(forks.max().unwrap_or(0)).unwrap(),
                aim: AIM,
            }),
            noise: Some(LiveNoise {
                noise: &self.noise,
                others_cpus: &self.others_cpus,
                cpus: 2,
                warnings: &self.warnings,
            }),
        }
    }
}

fn screen(columns: usize, rows: usize) -> Screen {
    Screen { columns, rows, color: false }
}

fn view(state: &LiveState<'_>, columns: usize, rows: usize) -> String {
    render_live(state, screen(columns, rows)).join("\n")
}

#[test]
fn a_run_that_is_timing_reads_as_recorded() {
    insta::assert_snapshot!("timing", view(&Run::of(complete()).state(), 100, 30));
}

#[test]
fn at_80_columns_and_24_rows_what_matters_is_there() {
    insta::assert_snapshot!("usual", view(&Run::of(complete()).state(), 80, 24));
}

#[test]
fn a_disturbed_run_with_a_fault_reads_as_recorded() {
    let mut run = Run::of(troubled());
    run.others_cpus = Reading::Value(0.41);
    run.warnings = vec![
        Warning::new(Severity::Warning, "other-work", "other work kept 0.4 of 2 CPUs busy meanwhile"),
        Warning::new(Severity::Warning, "of-another-kind", "the moon is full"),
    ];
    insta::assert_snapshot!("disturbed", view(&run.state(), 100, 30));
}

#[test]
fn before_there_are_intervals_it_says_how_many_forks_are_needed() {
    let mut run = Run::of(complete());
    for summary in &mut run.comparison.summaries {
        let Reading::Value(summary) = summary else { continue };
        let unknown = |estimate: &mut fathom_model::Estimate| {
            (estimate.low, estimate.high, estimate.forks) = (None, None, 2);
        };
        unknown(&mut summary.time_ns);
        [&mut summary.ratio, &mut summary.ratio_simultaneous].into_iter().flatten().for_each(unknown);
    }
    run.comparison.control = Reading::unavailable("no block holds both the control and the baseline");
    run.noise.seconds = 1.0;
    let mut state = run.state();
    state.times.as_mut().unwrap().aim = Aim::Precision { wanted: 0.005, reached: None };
    insta::assert_snapshot!("early", view(&state, 80, 24));
    for summary in &mut run.comparison.summaries {
        *summary = Reading::unavailable("no sample was kept");
    }
    let text = view(&run.state(), 80, 24);
    assert!(text.contains("timing, first fork") && !text.contains("native"), "{text}");
}

#[test]
fn every_terminal_holds_it() {
    let run = Run::of(complete());
    let mut long = run.state();
    let name = "漢字".repeat(60);
    long.comparison = Some(Position { name: &name, number: 0, of: 2 });
    for state in [run.state(), long] {
        for columns in (0..130).step_by(3) {
            for rows in (0..14).chain([29, 40]) {
                let lines = render_live(&state, screen(columns, rows));
                assert!(lines.len() <= rows.saturating_sub(1), "{columns} {rows}: {lines:?}");
                assert!(lines.len() <= 12.max(rows / 2), "{columns} {rows}: {lines:?}");
                let wide = |line: &String| width(line) > columns.saturating_sub(1).min(100);
                assert!(!lines.iter().any(wide), "{columns} {rows}: {lines:#?}");
            }
        }
    }
    assert_eq!(
        render_live(&run.state(), screen(80, 2)),
        ["timing, 15 forks; ends early at ±0.5 %, is at ±1.3 %"]
    );
}

#[test]
fn the_baseline_is_shown_also_where_it_is_not_among_the_fastest() {
    let mut run = Run::of(complete());
    let order = crate::standing::by_time(&run.comparison);
    run.comparison.baseline = *order.last().unwrap();
    let text = view(&run.state(), 100, 11);
    assert!(text.lines().any(|line| line.starts_with('*')) && text.contains("more"), "{text}");
}

#[test]
fn color_adds_escapes_and_nothing_else() {
    let run = Run::of(complete());
    let plain = render_live(&run.state(), screen(90, 30)).join("\n");
    let colored = render_live(&run.state(), Screen { color: true, ..screen(90, 30) }).join("\n");
    let mut stripped = String::new();
    for piece in colored.split('\u{1b}') {
        stripped += piece.strip_prefix('[').map_or(piece, |rest| rest.split_once('m').unwrap().1);
    }
    assert_ne!(colored, plain);
    assert_eq!(stripped, plain);
}

#[test]
fn a_name_cannot_steer_the_terminal() {
    let run = Run::of(complete());
    let mut state = run.state();
    state.entry = Some(Position { name: "a\u{1b}[2Jb\n", number: 0, of: 1 });
    state.pass = Pass::Trying("c\u{7}", "d\r");
    let all = view(&state, 80, 24).replace('\n', "") + &render_live_line(&state);
    assert!(!all.chars().any(char::is_control), "{all:?}");
}

#[test]
fn each_pass_has_its_words_and_a_line_for_a_log() {
    let run = Run::of(complete());
    let one = OneOf { name: "native:open", number: 2, of: 8 };
    let ratio = fathom_testkit::estimate(0.912, Some((0.905, 0.92)), 12);
    let passes = [
        Pass::Starting,
        Pass::Trying("a file", "ext4"),
        Pass::MakingData(12 << 20, 64 << 20),
        Pass::Checking(one),
        Pass::Counting(one),
        Pass::Timing,
        Pass::Ceilings,
        Pass::Explaining("counters", one),
        Pass::Pricing("/tmp", 3, 40),
        Pass::CountingCommand(OneOf { name: "cat a", ..one }),
        Pass::TimingCommands(12, Some(&ratio), 0.005),
        Pass::TimingCommands(1, None, 0.005),
    ];
    let line = |pass| render_live_line(&LiveState { pass, ..run.state() });
    let mut lines = passes.map(line).to_vec();
    let mut verdicts = run.state();
    verdicts.times.as_mut().unwrap().aim = Aim::Verdicts { open: 1, of: 3 };
    verdicts.clock.last = true;
    lines.push(render_live_line(&verdicts));
    verdicts.clock.left = Some(TimeLeft::Timing(Duration::from_secs(8)));
    verdicts.clock.timing = Some((Duration::from_secs(21), Duration::from_secs(20)));
    lines.push(render_live_line(&verdicts));
    insta::assert_snapshot!("lines", lines.join("\n"));
}

#[test]
fn in_a_small_terminal_the_times_come_before_the_noise() {
    insta::assert_snapshot!("small", view(&Run::of(complete()).state(), 46, 11));
}

#[test]
fn where_nothing_is_timed_there_is_no_bar_of_it() {
    let run = Run::of(complete());
    let mut state = LiveState { times: None, noise: None, pass: Pass::Trying("a", "b"), ..run.state() };
    state.clock = LiveClock { left: None, timing: None, ..state.clock };
    assert_eq!(
        view(&state, 80, 24),
        "open-go, entry 2 of 5: 128 B · warm, comparison 3 of 8\ntrying a: b\nrun    1 min 5 s"
    );
    state.pass = Pass::Pricing("/tmp", 20, 40);
    assert!(view(&state, 80, 24).contains("████████████░░░░░░░░░░░░"), "{}", view(&state, 80, 24));
}

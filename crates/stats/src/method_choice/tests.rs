//! Scripted records: what is advised, what is excluded, how far an answer
//! reaches, and what it does not say.

use super::*;
use fathom_model::{
    Answered, CacheState, Comparison, DentryState, MethodId, Operation, Proof, Reading, Record, Setting,
    SettingValue, Severity, Unmeasured, Warning,
};
use fathom_testkit::{choice, choice_of, choices, environment, fault_controls, keep_forks, slow_down};

const FILE: (&str, f64) = ("go:os.ReadFile", 3500.0);
const PREAD: (&str, f64) = ("go:syscall.Open+Pread", 1400.0);
const MAP: (&str, f64) = ("go:mmap+copy", 6800.0);

fn matrix(record: &Record) -> DecisionMatrix {
    decision_matrix(&[DecisionSource { name: "r.json", record }], None)
}

fn only(record: &Record) -> DecisionCell {
    let mut cells = matrix(record).cells;
    assert_eq!(cells.len(), 1, "{cells:#?}");
    cells.remove(0)
}

fn ask(record: &Record, question: &DecisionQuestion) -> Decision {
    answer_question(&matrix(record), question).unwrap()
}

fn of_size(size_bytes: u64) -> DecisionQuestion {
    DecisionQuestion { size_bytes: Some(size_bytes), language: Some("go".into()), ..Default::default() }
}

fn codes(caveats: &[Caveat]) -> Vec<&str> {
    caveats.iter().map(|caveat| caveat.code.as_str()).collect()
}

/// 1 KiB and 16 KiB, where another method leads.
fn crossing_sizes() -> Record {
    let large = [FILE.0, PREAD.0, MAP.0].into_iter().zip([30_000.0, 12_000.0, 6_000.0]);
    let large: Vec<_> = large.collect();
    choices(vec![choice(1024, &[FILE, PREAD, MAP]), choice(16_384, &large)])
}

fn cold(comparison: &mut Comparison) {
    for variant in &mut comparison.variants {
        variant.cache = CacheState::Cold;
    }
    for evidence in &mut comparison.cache {
        evidence.state = CacheState::Cold;
        evidence.dentry = DentryState::Warm;
    }
}

#[test]
fn the_fastest_is_advised_with_its_margin_over_the_next_and_the_usual() {
    let cell = only(&choices(vec![choice(4096, &[FILE, PREAD, MAP])]));
    assert_eq!(cell.certainty, Certainty::Decided);
    assert_eq!(cell.advised.as_ref().unwrap().to_string(), PREAD.0);
    let ratios: Vec<f64> = cell.rivals.iter().map(|rival| rival.ratio.unwrap().value).collect();
    assert!((ratios[0] - 2.5).abs() < 1e-3 && (ratios[1] - 6800.0 / 1400.0).abs() < 1e-3, "{ratios:?}");
    let usual = cell.usual.unwrap();
    assert_eq!(usual.method.to_string(), FILE.0);
    let saving = usual.saving_ns.unwrap();
    assert!((saving.value - 2100.0).abs() < 2.0, "{saving:?}");
    let (low, high) = saving.interval().unwrap();
    assert!(low < 2100.0 && high > 2100.0 && low > 2000.0, "{saving:?}");
    assert!(cell.caveats.is_empty(), "{:?}", cell.caveats);
}

#[test]
fn of_a_tie_the_usual_way_is_advised_and_another_else() {
    let near = ("go:os.Open+ReadAt", 1401.0);
    let tied = only(&choices(vec![choice(4096, &[near, PREAD, MAP])]));
    assert_eq!(tied.certainty, Certainty::Tied);
    assert_eq!(tied.advised.as_ref().unwrap().to_string(), PREAD.0, "the usual way was not measured");
    assert_eq!(tied.tied().map(|rival| rival.method.to_string()).collect::<Vec<_>>(), [near.0]);
    assert!(tied.usual.is_none());

    let usual = only(&choices(vec![choice(4096, &[("go:os.ReadFile", 1401.0), PREAD, MAP])]));
    assert_eq!((usual.certainty, usual.fastest.method.to_string().as_str()), (Certainty::Tied, PREAD.0));
    assert_eq!(usual.advised.as_ref().unwrap().to_string(), FILE.0, "there is no reason to change");
    let way = usual.usual.unwrap();
    assert!(way.ratio.is_none() && way.saving_ns.is_none());
}

#[test]
fn a_margin_below_what_the_control_resolves_is_a_tie() {
    let mut record = choices(vec![choice(4096, &[FILE, ("go:os.Open+bufio", 3800.0)])]);
    assert_eq!(only(&record).certainty, Certainty::Decided);
    if let Reading::Value(control) = &mut record.experiments[0].comparisons[0].control {
        control.ratio.low = Some(0.88);
    }
    let cell = only(&record);
    assert_eq!(cell.certainty, Certainty::Tied);
    assert!((cell.resolution.unwrap() - 0.12).abs() < 1e-9);
}

#[test]
fn a_method_that_answers_wrongly_is_never_advised() {
    let mut record = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
    let right = |flaw: Option<&str>, found| Answered {
        what: "digest".into(),
        found,
        expected: 5,
        flaw: flaw.map(str::to_owned),
        predicted: None,
        further: Vec::new(),
        disagrees: None,
    };
    record.experiments[0].comparisons[0].answers = vec![right(None, 5), right(None, 4), right(None, 5)];
    let cell = only(&record);
    assert_eq!(cell.advised.as_ref().unwrap().to_string(), FILE.0);
    assert_eq!(cell.excluded.len(), 1);
    assert!(cell.excluded[0].reason.contains("4 of 5"), "{:?}", cell.excluded);
    record.experiments[0].comparisons[0].answers[1] = right(Some("it stops at a NUL"), 5);
    let cell = only(&record);
    assert!(cell.excluded[0].reason.contains("it stops at a NUL") && !cell.has(&cell.excluded[0].method));

    record.experiments[0].unmeasured = vec![Unmeasured {
        method: "go:unix.Open".parse().unwrap(),
        scope: None,
        reason: "built without modules".into(),
    }];
    assert!(only(&record).excluded[1].reason.contains("not measured: built without modules"));
}

#[test]
fn a_method_that_does_something_else_is_never_advised() {
    let ways = [("native:open+O_PATH", 600.0), ("native:open", 650.0), ("native:fopen", 900.0)];
    let cell = &matrix(&choices(vec![choice_of(Operation::OpenClose, 4096, &ways)])).cells[0];
    assert_eq!((cell.advised.as_ref().unwrap().name.as_str(), cell.methods()), ("open", 2));
    assert!(cell.excluded[0].reason.contains("cannot be read from"), "{:?}", cell.excluded);
}

#[test]
fn a_single_fork_and_a_fault_decide_nothing() {
    for (forks, code) in [(1, "single-fork"), (4, "too-few-forks")] {
        let mut record = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
        keep_forks(&mut record, forks);
        let cell = only(&record);
        assert_eq!((cell.certainty, &cell.advised), (Certainty::TooFewForks, &None));
        assert_eq!((cell.chosen().to_string().as_str(), codes(&cell.caveats)), (PREAD.0, vec![code]));
        assert!(ask(&record, &of_size(4096)).answers[0].gains.is_empty());
    }
    let mut record = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
    fault_controls(&mut record);
    let cell = only(&record);
    assert_eq!((cell.certainty, &cell.advised), (Certainty::Fault, &None));
    assert_eq!(codes(&cell.caveats), ["instrument-fault"]);
}

#[test]
fn a_cold_state_says_how_far_it_can_be_believed() {
    let mut comparison = choice(4096, &[FILE, PREAD, MAP]);
    cold(&mut comparison);
    comparison.cache[1].proof = Proof::Unknown("mincore told of every page".into());
    let mut record = choices(vec![comparison]);
    record.warnings = vec![
        Warning::new(Severity::Note, "guest-cold", "the host may have held the pages"),
        Warning::new(Severity::Warning, "steal", "3 % of the CPU time was stolen"),
        Warning::new(Severity::Note, "a-note", "of no account"),
    ];
    let cell = only(&record);
    assert_eq!(codes(&cell.caveats), ["cache-unproven", "dentries-warm", "guest-cold", "steal"]);
    let warm = DecisionQuestion { cache: Some(CacheState::Warm), ..of_size(4096) };
    let error = answer_question(&matrix(&record), &warm).unwrap_err();
    assert_eq!(error.to_string(), "no record has cache warm of go: measured is cold");

    let mut record = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
    record.warnings = vec![Warning::new(Severity::Note, "guest-cold", "of cold samples alone")];
    assert!(only(&record).caveats.is_empty(), "nothing is cold here");
}

#[test]
fn neighbors_that_agree_answer_and_those_that_do_not_are_both_told() {
    let large = [(FILE.0, 9000.0), (PREAD.0, 3000.0), (MAP.0, 7000.0)];
    let agreed = choices(vec![choice(1024, &[FILE, PREAD, MAP]), choice(4096, &large)]);
    let decision = ask(&agreed, &DecisionQuestion { count: Some(10_000), ..of_size(2048) });
    let answer = &decision.answers[0];
    assert_eq!(answer.reach, Reach::Between { below: 1024, above: 4096 });
    assert_eq!(answer.advised.as_ref().unwrap().to_string(), PREAD.0);
    assert_eq!(codes(&answer.caveats), ["interpolated", "count"]);
    let savings: Vec<f64> = answer.gains.iter().map(|gain| gain.saving_s.unwrap().value).collect();
    assert!((savings[0] - 0.021).abs() < 1e-4 && (savings[1] - 0.060).abs() < 2e-4, "{savings:?}");

    let decision = ask(&crossing_sizes(), &of_size(4096));
    let answer = &decision.answers[0];
    assert_eq!((&answer.advised, answer.cells.len()), (&None, 2));
    // ln(1400/6800) at 1 KiB and ln 2 at 16 KiB: 0.695 of the way in ln size.
    let crossing = answer.crossing_bytes.unwrap();
    assert!((crossing / 7032.0 - 1.0).abs() < 0.01, "{crossing}");
}

#[test]
fn a_neighbor_without_the_method_leaves_the_word_to_the_other() {
    let few = choice(1024, &[FILE, MAP]);
    let all = choice(4096, &[FILE, PREAD, MAP]);
    let decision = ask(&choices(vec![few, all]), &of_size(2048));
    let answer = &decision.answers[0];
    assert_eq!(answer.advised.as_ref().unwrap().to_string(), PREAD.0);
    assert_eq!(codes(&answer.caveats), ["interpolated", "not-beside"]);
}

#[test]
fn a_size_that_was_measured_with_few_methods_says_what_the_next_size_advises() {
    let record = choices(vec![choice(2048, &[FILE, MAP]), choice(4096, &[FILE, PREAD, MAP])]);
    let decision = ask(&record, &of_size(2048));
    assert_eq!(decision.answers[0].advised.as_ref().unwrap().to_string(), FILE.0);
    let [caveat] = decision.answers[0].caveats.as_slice() else {
        panic!("{:?}", decision.answers[0].caveats)
    };
    assert_eq!(
        caveat.text,
        "at 4 KiB it is syscall.Open+Pread, which was not measured beside the 2 methods at 2 KiB"
    );
    assert!(ask(&record, &of_size(4096)).answers[0].caveats.is_empty(), "what led there was measured here");
}

#[test]
fn a_neighbor_in_which_the_method_is_tied_agrees() {
    let tied = choice(1024, &[("go:os.ReadFile", 1401.0), PREAD, MAP]);
    let decision = ask(&choices(vec![tied, choice(4096, &[FILE, PREAD, MAP])]), &of_size(2048));
    assert_eq!(decision.answers[0].advised.as_ref().unwrap().to_string(), PREAD.0);
}

#[test]
fn beyond_the_sizes_is_said_and_far_beyond_is_no_answer() {
    let record = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
    let near = ask(&record, &of_size(16_384));
    assert_eq!(near.answers[0].reach, Reach::Beyond { nearest: 4096, factor: 4.0 });
    assert_eq!(codes(&near.answers[0].caveats), ["extrapolated"]);
    let far = answer_question(&matrix(&record), &of_size(1 << 20)).unwrap_err();
    assert_eq!(far.to_string(), "Go, whole: 1 MiB is too far from 4 KiB, the nearest size that was measured");
}

#[test]
fn what_is_left_open_is_listed_or_does_not_matter() {
    let sizes = [1024, 4096, 65_536].map(|size| choice(size, &[FILE, PREAD, MAP]));
    let open = DecisionQuestion { language: Some("Golang".into()), ..Default::default() };
    let decision = ask(&choices(sizes.to_vec()), &open);
    assert_eq!(decision.answers.len(), 3);
    assert_eq!(decision.indifferent, [Indifference { dimension: Dimension::Size, values: 3 }]);
    assert_eq!(decision.unanswered, ["only warm was measured"]);
    assert!(ask(&crossing_sizes(), &open).indifferent.is_empty());
    // A second place with one other circumstance: neither place says anything of the other.
    let mut elsewhere = choice(1024, &[MAP, (PREAD.0, 9000.0)]);
    for variant in &mut elsewhere.variants {
        variant.place = 1;
        variant.parameters.block_bytes = 4096;
    }
    let two = ask(&choices(vec![choice(1024, &[FILE, PREAD, MAP]), elsewhere]), &open);
    assert_eq!((two.answers.len(), two.indifferent.len()), (2, 0));
}

#[test]
fn opening_asks_nothing_of_the_size() {
    let open = choice_of(Operation::OpenClose, 4096, &[("go:os.Open", 3600.0), ("go:syscall.Open", 2200.0)]);
    let decision = ask(&choices(vec![open]), &of_size(1 << 30));
    assert_eq!(decision.answers[0].conditions.size_bytes, None);
    assert_eq!(codes(&decision.answers[0].caveats), ["size-does-not-bear"]);
}

#[test]
fn methods_of_two_comparisons_are_never_compared() {
    let record = choices(vec![
        choice(4096, &[FILE, MAP]),
        choice(4096, &[("go:os.Open+bufio", 3000.0), PREAD, MAP]),
        choice(4096, &[("native:read", 900.0), ("native:File+read_to_end", 1500.0)]),
    ]);
    let matrix = matrix(&record);
    let words: Vec<_> = matrix.cells.iter().map(|cell| cell.conditions.language.as_str()).collect();
    assert_eq!(words, ["rust", "go"], "C has only one method of these");
    let go = &matrix.cells[1];
    assert_eq!((go.methods(), go.elsewhere.len()), (3, 1), "the comparison with more methods speaks");
    assert_eq!(codes(&go.caveats), ["not-beside"], "os.ReadFile led elsewhere, beside fewer");
    assert!(go.usual.is_none(), "the usual way stood elsewhere");
}

#[test]
fn two_sittings_that_contradict_each_other_are_told() {
    let mut record = choices(vec![choice(4096, &[FILE, PREAD, MAP]); 2]);
    assert!(only(&record).caveats.is_empty());
    let mut other = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
    slow_down(&mut other, PREAD.0, 4.0);
    record.experiments[0].comparisons[1] = other.experiments[0].comparisons[0].clone();
    let cell = only(&record);
    assert_eq!(codes(&cell.caveats), ["disagreement"]);
    assert_eq!((cell.certainty, &cell.advised), (Certainty::Contradicted, &None), "it turns the answer");
}

#[test]
fn unusual_circumstances_speak_only_where_nothing_else_does() {
    let mut threads = choice(4096, &[FILE, PREAD, MAP]);
    for variant in &mut threads.variants {
        variant.parameters.settings.set(Setting::Threads, SettingValue::Number(2));
    }
    let alone = ask(&choices(vec![threads.clone()]), &of_size(4096));
    assert_eq!(codes(&alone.answers[0].cells[0].caveats), ["not-as-usual"]);
    let both = ask(&choices(vec![choice(4096, &[FILE, PREAD, MAP]), threads]), &of_size(4096));
    assert_eq!(both.answers.len(), 1);
    assert!(both.answers[0].conditions.circumstances.is_empty());
    assert_eq!(both.unanswered[0], "passed over what was measured not as usual: 2 threads");
}

#[test]
fn a_mapping_a_whole_buffer_and_a_reused_one_say_so() {
    let mut record = choices(vec![choice(4096, &[FILE, ("go:mmap+copy", 900.0)])]);
    for (summary, bytes) in record.experiments[0].comparisons[0].summaries.iter_mut().zip([5200.0, 48.0]) {
        let Reading::Value(summary) = summary else { panic!("no summary") };
        summary.runtime_per_operation.insert("alloc_bytes".into(), bytes);
    }
    assert_eq!(codes(&only(&record).caveats), ["reused-memory", "mapping-truncated"]);
    assert_eq!(only(&record).beside, [crate::MethodCaveat::ReusesMemory], "said where the method is named");
    let whole = only(&choices(vec![choice(1 << 20, &[FILE, MAP])]));
    assert_eq!(codes(&whole.caveats), ["whole-buffer"]);
}

#[test]
fn a_mapping_of_which_a_byte_a_page_is_touched_is_shown_and_never_advised() {
    let cell = only(&choices(vec![choice(1 << 20, &[FILE, PREAD, ("go:mmap", 300.0)])]));
    assert_eq!(cell.advised.as_ref().unwrap().to_string(), PREAD.0);
    let excluded: Vec<_> = cell.excluded.iter().map(|excluded| excluded.method.to_string()).collect();
    assert_eq!(excluded, ["go:mmap"]);
    assert!(cell.excluded[0].reason.starts_with("touches one byte of every 4096"), "{cell:?}");
}

#[test]
fn a_descriptor_that_children_inherit_is_said_with_the_advice() {
    let mut record = choices(vec![choice(4096, &[FILE, PREAD])]);
    let step = fathom_model::RecipeStep {
        call: "openat".into(),
        arguments: "FILE, O_RDONLY".into(),
        result: "3".into(),
        failed: false,
        other_thread: false,
    };
    let mut pass =
        fathom_testkit::complete().experiments[0].comparisons[0].counts[0].value().unwrap().clone();
    pass.recipe = vec![step];
    let comparison = &mut record.experiments[0].comparisons[0];
    comparison.counts = vec![Reading::Value(pass); comparison.variants.len()];
    let cell = only(&record);
    assert_eq!(cell.beside, [crate::MethodCaveat::InheritedByChildren]);
    assert_eq!(codes(&cell.caveats), ["inherited-by-children"]);
}

#[test]
fn a_record_of_elsewhere_or_cut_short_is_said_to_be() {
    let mut record = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
    record.complete = false;
    let mut here = environment();
    here.kernel = "6.19.1".into();
    let source = DecisionSource { name: "old.json", record: &record };
    let matrix = decision_matrix(&[source], Some(&here));
    assert_eq!(codes(&matrix.cells[0].caveats), ["foreign-record", "incomplete-record"]);
    assert_eq!(matrix.records[0].foreign, ["kernel 6.18.2, here 6.19.1"]);
    assert_eq!(matrix.records[0].cells, 1);
}

#[test]
fn what_cannot_be_answered_says_what_was_measured() {
    let matrix = matrix(&choices(vec![choice(4096, &[FILE, PREAD, MAP])]));
    let said = |question: DecisionQuestion| answer_question(&matrix, &question).unwrap_err().to_string();
    let asked = |language: &str| DecisionQuestion { language: Some(language.into()), ..Default::default() };
    assert_eq!(said(asked("cobol")), "unknown language `cobol`");
    assert_eq!(said(asked("zig")), "no record has zig: measured is go");
    let random = DecisionQuestion { pattern: Some(Pattern::Random), ..asked("go") };
    assert_eq!(said(random), "no record has pattern random of go: measured is whole");
    let place = DecisionQuestion { place: Some("xfs".into()), ..asked("go") };
    assert_eq!(said(place), "no record has xfs of go: measured is ext4 at /");
    let empty = decision_matrix(&[], None);
    assert!(answer_question(&empty, &asked("go")).unwrap_err().to_string().contains("no two methods"));
}

#[test]
fn every_sample_record_makes_a_matrix_that_serializes() {
    for (name, record) in fathom_testkit::all() {
        let matrix = matrix(&record);
        let text = serde_json::to_string(&matrix).unwrap();
        assert!(!text.contains("NaN"), "{name}");
        for cell in &matrix.cells {
            assert_eq!(cell.advised.is_some(), cell.certainty >= Certainty::Tied, "{name}");
            assert!(cell.advised.as_ref().is_none_or(|method| cell.stands(method)), "{name}");
        }
    }
}

#[test]
fn functions_of_ones_own_are_advised_to_nobody() {
    for file in ["ways.c", "ways.cpp", "ways.go", "Ways.java", "ways.mjs", "ways.py", "ways.rs", "ways.zig"] {
        let mut record = choices(vec![choice(4096, &[FILE, PREAD, MAP])]);
        record.experiments[0].comparisons[0].variants[1].method = MethodId::new(file, "fast");
        let cell = only(&record);
        assert_eq!(cell.advised.as_ref().unwrap().to_string(), FILE.0, "{file}");
    }
}

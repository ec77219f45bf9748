use crate::auditor::Auditor;
use crate::finding::{Frame, Owner, RuleId};
use crate::script::{READ, Script};
use fathom_events::StackId;

#[test]
fn only_what_lies_below_the_named_directories_is_told() {
    let mut script = Script::new();
    for path in ["/data/a", "/data", "/database/a", "/srv/x"] {
        let file = script.open(path, READ);
        (0..3).for_each(|_| script.fstat(file, 100));
        script.close(file);
    }
    let count = |directories: &[&str]| {
        let new = Auditor::new();
        let mut auditor = directories.iter().fold(new, |auditor, name| auditor.telling_below(name));
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let findings = auditor.finish().findings;
        let again = findings.iter().filter(|finding| finding.rule == RuleId(3));
        again.map(|finding| finding.count).sum::<u64>()
    };
    assert_eq!([count(&[]), count(&["/data"]), count(&["/data/", "/srv"])], [8, 4, 6]);
}

/// What is told of paths that are looked at 20 times each, from line 1 and on, of which so many looks have a
/// stack: line, count, whether not all were looked at.
fn lines(with_stack: &[u32]) -> Vec<(Option<u32>, u64, bool)> {
    let mut script = Script::new();
    for (line, with_stack) in (1..).zip(with_stack) {
        for look in 0..20 {
            script.stat(&format!("/data/{line}"), 100);
            let stack = (look < *with_stack).then_some(StackId(line));
            script.events.last_mut().unwrap().stack = stack;
        }
    }
    told(&script)
}

/// The same of one path that is looked at 20 times from each line.
fn lines_of_one_path(with_stack: &[u32]) -> Vec<(Option<u32>, u64, bool)> {
    let mut script = Script::new();
    for (line, with_stack) in (1..).zip(with_stack) {
        for look in 0..20 {
            script.stat("/data/a", 100);
            let stack = (look < *with_stack).then_some(StackId(line));
            script.events.last_mut().unwrap().stack = stack;
        }
    }
    told(&script)
}

fn told(script: &Script) -> Vec<(Option<u32>, u64, bool)> {
    let mut auditor = Auditor::new();
    script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
    let frames = |line: u32| {
        let (function, module) = (Some("look".to_owned()), Some("/srv/program".to_owned()));
        let (file, line) = (Some("look.c".to_owned()), Some(line));
        vec![Frame { function, file, line, module, address: None, owner: Owner::Yours }]
    };
    let findings = auditor.finish_with_stacks(&mut |stack| frames(stack)).findings;
    let again = findings.iter().filter(|finding| finding.rule == RuleId(15));
    let mut told: Vec<_> = again
        .map(|finding| {
            let line = finding.place.frames.first().and_then(|frame| frame.line);
            (line, finding.count, finding.place.is_sampled)
        })
        .collect();
    told.sort_unstable();
    told
}

#[test]
fn calls_without_a_stack_are_told_where_those_about_the_same_paths_come_from_one_line() {
    assert_eq!(lines(&[20, 20]), [(Some(1), 19, false), (Some(2), 19, false)]);
    assert_eq!(lines(&[5]), [(Some(1), 19, true)]);
    assert_eq!(lines(&[5, 20]), [(Some(1), 19, true), (Some(2), 19, false)]);
    assert_eq!(lines(&[5, 5]), [(Some(1), 19, true), (Some(2), 19, true)], "each path has its line");
    // Which are whose is not known.
    assert_eq!(lines_of_one_path(&[5, 6]), [(None, 29, false), (Some(1), 4, false), (Some(2), 6, false)]);
    assert_eq!(lines(&[0, 20]), [(Some(2), 38, true)], "all that have one come from there");
    assert_eq!(lines(&[0]), [(None, 19, false)]);
}

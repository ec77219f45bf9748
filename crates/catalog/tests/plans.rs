//! Plans made of small experiments and of requests: order, labels, baselines,
//! places, overrides.

use fathom_catalog::{
    DriverManifest, Entry, MethodRegistry, Plan, PlannedComparison, Request, plan_ad_hoc, plan_entry,
};
use fathom_model::{Alignment, BufferUse, CacheState, Content, Explain, Operation, Place};
use std::collections::BTreeSet;

fn registry() -> MethodRegistry {
    let manifests = [include_str!("fixtures/native.toml"), include_str!("fixtures/go.toml")];
    let parsed = manifests.map(|text| DriverManifest::parse("driver.toml", text).expect("a valid fixture"));
    MethodRegistry::new(parsed.into()).expect("two drivers")
}

fn planned(text: &str, request: &Request) -> Plan {
    let entry = Entry::parse("mine.toml", text).expect("a valid experiment");
    plan_entry(&entry, request, &registry()).expect("a possible plan")
}

/// An experiment of `lines` and the keys that every one has.
fn experiment(lines: &str) -> String {
    format!("name = \"mine\"\ntitle = \"Mine\"\nquestion = \"Why?\"\n{lines}")
}

fn methods(comparison: &PlannedComparison) -> Vec<String> {
    comparison.variants.iter().map(|variant| variant.method.to_string()).collect()
}

fn labels(plan: &Plan) -> Vec<&str> {
    plan.comparisons.iter().map(|comparison| comparison.label.as_str()).collect()
}

fn directory(path: &str) -> Place {
    Place::Directory(path.into())
}

#[test]
fn the_command_line_of_the_manual_is_planned() {
    let request = Request {
        methods: vec!["native:open".into(), "go:os.Open".into()],
        caches: vec![CacheState::Warm, CacheState::Cold],
        places: vec![directory("."), directory("/dev/shm")],
        ..Request::default()
    };
    let plan = plan_ad_hoc(Operation::OpenClose, &request, &registry()).unwrap();
    assert_eq!(plan.places, request.places);
    assert_eq!(labels(&plan), [". · warm", ". · cold", "/dev/shm · warm", "/dev/shm · cold"]);
    assert_eq!(plan.comparisons.iter().map(|c| c.variants[0].place).collect::<Vec<_>>(), [0, 0, 1, 1]);
    for comparison in &plan.comparisons {
        assert_eq!(methods(comparison), ["native:open", "go:os.Open"]);
        assert_eq!(comparison.differing_parameters, [""; 0]);
    }
    assert_eq!(plan.comparisons[0].variants[0].parameters.data.size_bytes, 4096);
}

#[test]
fn an_empty_request_measures_every_method_here_and_warm() {
    let plan = plan_ad_hoc(Operation::ReadBlock, &Request::default(), &registry()).unwrap();
    assert_eq!(plan.places, [directory(".")]);
    assert_eq!(labels(&plan), ["16 MiB · 64 KiB blocks · warm"]);
    assert_eq!(plan.comparisons[0].variants.len(), 10 + 4);
    assert!(plan.unmeasured.is_empty());
}

#[test]
fn a_method_named_twice_is_compared_with_itself() {
    let request = Request { methods: vec!["go:os.Open".into(), "go:os.Open".into()], ..Request::default() };
    let plan = plan_ad_hoc(Operation::OpenClose, &request, &registry()).unwrap();
    assert_eq!(methods(&plan.comparisons[0]), ["go:os.Open", "go:os.Open"]);
    assert_eq!(plan.comparisons[0].variants[0], plan.comparisons[0].variants[1]);
}

#[test]
fn what_a_wildcard_brings_and_cannot_be_is_left_out_with_its_reason() {
    let request = Request {
        methods: vec!["native:*".into()],
        alignments: vec![Alignment::Aligned, Alignment::Unaligned],
        baseline: Some("native:O_DIRECT+pread".into()),
        ..Request::default()
    };
    let plan = plan_ad_hoc(Operation::ReadBlock, &request, &registry()).unwrap();
    let [aligned, unaligned] = &plan.comparisons[..] else { panic!("{:?}", labels(&plan)) };
    assert_eq!(aligned.variants.len(), unaligned.variants.len() + 1);
    assert_eq!(methods(aligned)[aligned.baseline], "native:O_DIRECT+pread");
    assert_eq!(unaligned.baseline, 0, "the first stands in for a baseline that is left out");
    let [unmeasured] = &plan.unmeasured[..] else { panic!("{:?}", plan.unmeasured) };
    assert_eq!(unmeasured.method.to_string(), "native:O_DIRECT+pread");
    assert_eq!(unmeasured.scope.as_deref(), Some(unaligned.label.as_str()));
    assert!(unmeasured.reason.contains("unaligned"));
}

#[test]
fn places_side_by_side_make_one_comparison_per_method() {
    let text = experiment(
        "operation = \"read-whole\"\ncompare = \"places\"\nmethods = [\"go:os.ReadFile\", \"native:read\"]\n\
         places = [\"/dev/shm\", \"directory\", \"memfd\"]\nbaseline = \"directory\"\n[data]\nsize = 128\n",
    );
    let plan = planned(&text, &Request::default());
    assert_eq!(plan.places, [directory("/dev/shm"), directory("."), Place::Memfd]);
    assert_eq!(labels(&plan), ["go:os.ReadFile · 128 B · warm", "native:read · 128 B · warm"]);
    let first = &plan.comparisons[0];
    assert_eq!(first.variants.iter().map(|v| v.place).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((first.baseline, &first.differing_parameters[..]), (1, &["place".to_owned()][..]));

    let request = Request {
        places: vec![directory("/dev/shm"), directory("/a"), directory("/b")],
        ..Request::default()
    };
    let plan = planned(&text, &request);
    assert_eq!(plan.places, [directory("/dev/shm"), directory("/a"), directory("/b"), Place::Memfd]);
    assert_eq!(plan.comparisons[0].baseline, 0, "the first that `directory` stands for");

    let request = Request { places: vec![directory("/dev/shm")], ..Request::default() };
    let plan = planned(&text, &request);
    assert_eq!(
        (&plan.places[..], plan.comparisons[0].baseline),
        (&[directory("/dev/shm"), Place::Memfd][..], 0)
    );
}

#[test]
fn fixed_places_give_way_to_those_of_the_command_line() {
    let text = experiment(
        "operation = \"read-whole\"\ncompare = \"places\"\nmethods = [\"native:read\"]\n\
         places = [\"/a\", \"/b\"]\nbaseline = \"/b\"\n[data]\nsize = 128\n",
    );
    let plan = planned(&text, &Request::default());
    assert_eq!((&plan.places, plan.comparisons[0].baseline), (&vec![directory("/a"), directory("/b")], 1));
    let asked = Request { places: vec![directory("/c"), directory("/d")], ..Request::default() };
    let plan = planned(&text, &asked);
    assert_eq!((&plan.places, plan.comparisons[0].baseline), (&asked.places, 0));
}

#[test]
fn any_choice_can_be_put_side_by_side() {
    let text = |compare: &str, baseline: &str| {
        experiment(&format!(
            "operation = \"read-block\"\ncompare = \"{compare}\"\nbaseline = \"{baseline}\"\n\
             methods = [\"go:syscall.Pread\"]\ncache = [\"warm\", \"cold\"]\n[data]\nsizes = [\"1 MiB\", \"2 MiB\"]\n\
             [parameters]\nblocks = [512, 1024]\naccesses = [\"random\", \"sequential\"]\n\
             alignments = [\"aligned\", \"unaligned\"]\nbuffers = [\"reused\", \"fresh\"]\n"
        ))
    };
    for (compare, baseline, differing) in [
        ("caches", "cold", "cache"),
        ("sizes", "2048 KiB", "size"),
        ("blocks", "1024", "block"),
        ("accesses", "sequential", "access"),
        ("alignments", "unaligned", "alignment"),
        ("buffers", "fresh", "buffer"),
    ] {
        let plan = planned(&text(compare, baseline), &Request::default());
        assert_eq!(plan.comparisons.len(), 32, "{compare}");
        let distinct: BTreeSet<_> = labels(&plan).into_iter().collect();
        assert_eq!(distinct.len(), 32, "every label differs: {distinct:?}");
        for comparison in &plan.comparisons {
            assert_eq!(comparison.variants.len(), 2);
            assert_eq!(
                (comparison.baseline, &comparison.differing_parameters[..]),
                (1, &[differing.to_owned()][..])
            );
        }
    }
}

#[test]
fn quick_lies_over_the_file_and_the_command_line_over_both() {
    let text = experiment(
        "operation = \"read-whole\"\nmethods = [\"go:*\"]\nbaseline = \"go:mmap\"\ncache = [\"warm\", \"cold\"]\n\
         [data]\nsweep = { from = \"1 KiB\", to = \"4 KiB\", factor = 2 }\nfiles = 2\ncontent = \"log-lines\"\n\
         [parameters]\nbuffer = \"fresh\"\n[quick]\nsize = \"9 B\"\ncache = [\"warm\"]\n",
    );
    let whole = planned(&text, &Request::default());
    assert_eq!(
        labels(&whole),
        ["1 KiB · warm", "1 KiB · cold", "2 KiB · warm", "2 KiB · cold", "4 KiB · warm", "4 KiB · cold"]
    );
    let quick = planned(&text, &Request { quick: true, ..Request::default() });
    assert_eq!(labels(&quick), ["9 B · warm"]);
    assert_eq!(quick.comparisons[0].variants[0].parameters.data.files, 2);
    assert_eq!(quick.comparisons[0].variants[0].parameters.data.content, Content::LogLines);
    assert_eq!(quick.comparisons[0].variants[0].parameters.buffer, BufferUse::Fresh);
    let asked =
        Request { quick: true, sizes: vec![7], methods: vec!["native:read".into()], ..Request::default() };
    let plan = planned(&text, &asked);
    assert_eq!(labels(&plan), ["7 B · warm"]);
    assert_eq!(methods(&plan.comparisons[0]), ["native:read"], "the file's baseline gives way");
}

#[test]
fn a_comparison_without_its_baseline_takes_the_first_that_is_left() {
    let request = Request {
        methods: vec!["go:os.Open".into(), "native:open".into(), "native:fopen".into()],
        baseline: Some("native:open".into()),
        ..Request::default()
    };
    let plan = plan_ad_hoc(Operation::OpenClose, &request, &registry()).unwrap();
    let comparison = &plan.comparisons[0];
    assert_eq!(comparison.baseline, 1);
    let kept = comparison.clone().retain(|variant| variant.method.name != "os.Open").unwrap();
    assert_eq!(
        (methods(&kept), kept.baseline),
        (vec!["native:open".to_owned(), "native:fopen".to_owned()], 0)
    );
    let kept = comparison.clone().retain(|variant| variant.method.name != "open").unwrap();
    assert_eq!(
        (methods(&kept), kept.baseline),
        (vec!["go:os.Open".to_owned(), "native:fopen".to_owned()], 0)
    );
    let kept = comparison.clone().retain(|variant| variant.method.name != "fopen").unwrap();
    assert_eq!((methods(&kept), kept.baseline), (vec!["go:os.Open".to_owned(), "native:open".to_owned()], 1));
    assert_eq!(comparison.clone().retain(|_| false), None);
}

#[test]
fn a_part_says_what_is_to_be_explained_and_the_command_line_adds_to_it() {
    let text = experiment(
        "operation = \"open-close\"\nmethods = [\"native:open\"]\nexplain = [\"profile\"]\n[data]\nsize = \"1 B\"\n\
         [[parts]]\nname = \"one\"\n[[parts]]\nname = \"other\"\nexplain = [\"latencies\", \"counters\"]\n",
    );
    let explained = |request: &Request| {
        planned(&text, request).comparisons.into_iter().map(|c| c.explain).collect::<Vec<_>>()
    };
    let of_file = [vec![Explain::Profile], vec![Explain::Counters, Explain::Latencies]];
    assert_eq!(explained(&Request::default()), of_file);
    let asked = Request { explain: vec![Explain::Counters], ..Request::default() };
    let both = [vec![Explain::Counters, Explain::Profile], vec![Explain::Counters, Explain::Latencies]];
    assert_eq!(explained(&asked), both);
    let ad_hoc = plan_ad_hoc(Operation::OpenClose, &asked, &registry()).unwrap();
    assert!(ad_hoc.comparisons.iter().all(|comparison| comparison.explain == [Explain::Counters]));
}

use super::attribution::{Asker, Attribution, NO_FILE, OF_EVERY_PROGRAM};
use super::*;
use crate::audit::Audit;
use crate::auditor::Auditor;
use crate::prices::CallPrice;
use crate::script::{READ, Script};
use fathom_events::{CallOutcome, DescriptorKind, FileAction, Target};
use fathom_model::Estimate;
use std::collections::BTreeSet;

fn tree(script: &Script) -> Audit {
    script.audited(Auditor::new().starting_in("/srv/app").counting_tree())
}

/// Group, item, part, calls, failed of each row.
fn rows(audit: &Audit) -> Vec<(String, u64, u64)> {
    let rows = audit.tree.as_ref().unwrap().rows.iter().map(|row| {
        let part = row.part.as_ref().map(|part| format!(" | {part}")).unwrap_or_default();
        (format!("{} | {}{part}", row.group, row.item), row.sums.calls, row.sums.failed)
    });
    rows.collect()
}

#[test]
fn paths_belong_to_what_the_table_says() {
    let attribution = Attribution::load();
    let of = |path: &str, asker| {
        let unit = attribution.unit(path, Some("/srv/app"), asker);
        let part = unit.part.map(|part| format!(" | {part}")).unwrap_or_default();
        format!("{} | {}{part}", unit.group, unit.item)
    };
    for (path, expected) in [
        ("/srv/app/node_modules/jsdom/lib/api.js", "Node packages | jsdom"),
        ("/srv/app/node_modules/@babel/core/package.json", "Node packages | @babel/core"),
        (
            "/srv/app/node_modules/jsdom/node_modules/whatwg-url/node_modules/tr46/index.js",
            "Node packages | jsdom | whatwg-url > tr46",
        ),
        ("/srv/node_modules/.pnpm/a@1.0.0/node_modules/b/index.js", "Node packages | b"),
        ("/srv/app/node_modules", "Node packages | (search path)"),
        ("/usr/lib/python3.11/json/__init__.py", "Python standard library | json"),
        ("/usr/lib/python3.11/json", "Python standard library | json"),
        ("/usr/lib/python3.11/json/__pycache__", "Python standard library | json"),
        (
            "/usr/lib/python3.11/json/__pycache__/decoder.cpython-311.pyc",
            "Python standard library | json | decoder",
        ),
        ("/usr/lib/python3.11/email/mime/__init__.py", "Python standard library | email | mime"),
        ("/usr/lib/python3.11/__pycache__/os.cpython-311.pyc.140", "Python standard library | os"),
        (
            "/usr/lib/python3.11/lib-dynload/_json.cpython-311-x86_64-linux-gnu.so",
            "Python standard library | _json",
        ),
        ("/usr/lib/python3.11", "Python standard library | (search path)"),
        ("/usr/lib/python311.zip", "Python standard library | (search path)"),
        ("/v/lib/python3.11/site-packages/six.py", "Python packages | six"),
        ("/v/lib/python3.11/site-packages/yaml/loader.py", "Python packages | yaml | loader"),
        (
            "/v/lib/python3.11/site-packages/PyYAML-6.0.1.dist-info/METADATA",
            "Python packages | PyYAML | METADATA",
        ),
        ("/v/lib/python3.11/site-packages", "Python packages | (search path)"),
        ("/v/lib/python3.11/site-packages/__pycache__", "Python packages | (search path)"),
        ("/var/lib/gems/3.1.0/gems/rack-2.2.4/lib/rack.rb", "Ruby gems | rack-2.2.4"),
        ("/var/lib/gems/3.1.0/specifications/rack-2.2.4.gemspec", "Ruby gems | rack-2.2.4"),
        ("/usr/lib/ruby/3.1.0/json/common.rb", "Ruby standard library | json | common"),
        ("/usr/lib/x86_64-linux-gnu/ruby/3.1.0/socket.so", "Ruby standard library | socket"),
        ("/usr/lib/ruby/vendor_ruby/rubygems/version.rb", "Ruby standard library | rubygems | version"),
        ("/usr/lib/jvm/java-17-openjdk-amd64/lib/modules", "Java runtime | lib/modules"),
        ("/srv/app/lib/guava-31.jar", "Java class path | guava-31.jar"),
        ("/srv/app/target/classes/a/B.class", "Java class path | target/classes"),
        ("/srv/app/b/B.class", "Java class path | ./b"),
        ("/usr/share/perl/5.36/File/Temp.pm", "Perl modules | File | Temp"),
        ("/home/user/go/pkg/mod/github.com/a/b@v1.2.3/x.go", "Go modules | github.com/a/b"),
        ("/srv/app/.git/objects/ab/cd", "Git repository | objects"),
        ("/usr/lib/locale/C.utf8/LC_TIME", "C library | locales and messages"),
        ("/usr/lib/x86_64-linux-gnu/libz.so.1", "Shared libraries | libz.so.1"),
        ("/usr/bin/git", "Programs | git"),
        ("/proc/self/maps", "Kernel and devices | /proc"),
        ("/srv/app/src/a.rs", "Current directory | src"),
        ("/srv/app", "Current directory | ."),
        ("/srv/apple/a", "Other directories | /srv/apple"),
        ("/usr/share/git-core/templates/hooks/a", "Other directories | /usr/share/git-core"),
        ("/etc/gitconfig", "Other directories | /etc"),
        ("/usr", "Other directories | /usr"),
        ("/usr/local/lib/site_ruby/3.1.0/thread.rb", "Ruby standard library | thread"),
    ] {
        assert_eq!(of(path, Asker::Program), expected, "{path}");
    }
    assert_eq!(of("/opt/a/plugin.so", Asker::Loader), "Shared libraries | plugin.so");
    assert_eq!(of("/opt/a/tool", Asker::Exec), "Programs | tool");
    let groups = attribution.groups();
    assert!(OF_EVERY_PROGRAM.iter().all(|group| *group == NO_FILE || groups.contains(group)));
}

#[test]
fn every_call_is_in_one_row() {
    let mut script = Script::new();
    script.load("/usr/bin/tool");
    let own = script.open("/srv/app/data/a", READ);
    script.fstat(own, 10);
    script.read(own, 100, 10);
    script.read(own, 100, 0);
    script.close(own);
    script.close_fails(77);
    script.open_fails("/srv/app/node_modules/a/index.js", READ, 2);
    let made = FileAction::MakeDescriptors {
        kind: DescriptorKind::Pipe,
        made: [Some(50), Some(51)],
        close_on_exec: true,
    };
    script.works("pipe2", made);
    script.read(50, 1, 1);
    script.works("close", FileAction::Close { descriptor: 51 });
    script.fails("ioctl", FileAction::DeviceControl { descriptor: 0, request: 0x5401 }, 25);
    script.works("umask", FileAction::Mask { mode: 0o22 });
    // In a directory of which nothing is known.
    let path = script.paths.number(std::ffi::OsStr::new("name"));
    let target = Target::Path { directory: 90, path, follow: true };
    script.call("newfstatat", FileAction::Stat { target, facts: None, mask: 0 }, CallOutcome::Unknown);
    let audit = tree(&script);
    let tree = audit.tree.as_ref().unwrap();
    assert_eq!(tree.sums.calls, audit.events);
    assert_eq!(tree.sums.calls, script.events.len() as u64);
    assert_eq!(tree.sums, CallSums::of(tree.rows.iter().map(|row| &row.sums)));
    assert_eq!(tree.sums, CallSums::of(tree.groups().iter().map(|group| &group.sums)));
    assert_eq!(tree.sums.calls, tree.programs.iter().map(|program| program.calls).sum::<u64>());
    assert_eq!((tree.unattributed, tree.sums.bytes_read), (1, 832 + 784 + 11));
    let rows = rows(&audit);
    for expected in [
        ("Current directory | data", 5, 0),
        ("Node packages | a", 1, 1),
        ("No file | numbers of no open descriptor", 1, 1),
        ("No file | pipes", 3, 0),
        ("No file | descriptors open from the start", 1, 1),
        ("No file | processes and descriptor tables", 1, 0),
        ("Unattributed | paths in directories that are not known", 1, 0),
    ] {
        let (name, calls, failed) = expected;
        assert!(rows.contains(&(name.to_owned(), calls, failed)), "{expected:?} of {rows:#?}");
    }
}

#[test]
fn directories_that_the_loader_looks_at_belong_to_the_library_that_it_seeks() {
    let mut script = Script::new();
    script.execute("/usr/bin/tool");
    script.open("/etc/ld.so.cache", READ);
    for directory in ["/opt/lib/glibc-hwcaps/x86-64-v3", "/opt/lib"] {
        script.open_fails(&format!("{directory}/libz.so.1"), READ, 2);
        script.stat_fails(directory);
    }
    script.open("/usr/lib/libz.so.1", READ);
    script.open_fails("/usr/lib/libm.so.6", READ, 2);
    let rows = rows(&tree(&script));
    assert!(rows.contains(&("Shared libraries | libz.so.1".to_owned(), 5, 4)), "{rows:#?}");
    assert!(rows.contains(&("Shared libraries | libm.so.6".to_owned(), 1, 1)), "{rows:#?}");
}

/// Opens cost 100 ns each, and nothing else has a price.
struct OfOpens;

impl Prices for OfOpens {
    fn price(&self, call: &CountedCalls) -> Option<CallPrice> {
        let wall_ns = Estimate { value: 100.0, low: None, high: None, confidence: 0.95, forks: 1 };
        (call.call == "openat").then_some(CallPrice { wall_ns, is_of_plain_call: false, note: None })
    }
}

#[test]
fn unit_costs_and_first_times_are_those_of_the_rows_calls() {
    let mut script = Script::new();
    script.execute("/usr/bin/static-tool");
    script.wait_ms(5);
    (0..3).for_each(|_| script.open_fails("/srv/app/node_modules/a/x", READ, 2));
    script.wait_ms(7);
    script.stat("/srv/app/node_modules/b/x", 1);
    let mut audit = tree(&script);
    audit.price(&OfOpens);
    let tree = audit.tree.unwrap();
    let of = |item: &str| tree.rows.iter().find(|row| row.item == item).unwrap().sums.clone();
    let (a, b) = (of("a"), of("b"));
    assert_eq!((a.unit_cost_ns, a.calls_without_unit_cost), (Some(300.0), 0));
    assert_eq!((b.unit_cost_ns, b.calls_without_unit_cost), (None, 1));
    // The clock of a script moves by 1 µs with each call.
    assert_eq!((a.first_seen_ns, b.first_seen_ns), (Some(5_001_000), Some(12_004_000)));
    assert_eq!((tree.sums.unit_cost_ns, tree.sums.calls_without_unit_cost), (Some(300.0), 2));
    assert_eq!(tree.sums.first_seen_ns, Some(0));
}

#[test]
fn two_hundred_packages_with_failing_lookups_are_attributed_exactly() {
    let mut script = Script::new();
    script.execute("/usr/bin/node");
    for package in 0..200 {
        for missing in 0..90 {
            let nested =
                if missing < 30 { format!("node_modules/peer-{}/", missing % 3) } else { String::new() };
            script.open_fails(
                &format!("/srv/app/node_modules/package-{package}/{nested}{missing}.js"),
                READ,
                2,
            );
        }
    }
    let audit = tree(&script);
    let tree = audit.tree.as_ref().unwrap();
    let groups = tree.groups();
    assert_eq!(
        (groups[0].name, groups[0].sums.failed, groups[0].items.len()),
        ("Node packages", 18_000, 200)
    );
    for item in &groups[0].items {
        assert_eq!((item.sums.calls, item.sums.failed, item.rows.len()), (90, 90, 4), "{}", item.name);
        let parts: Vec<_> = item.rows.iter().map(|row| (row.part.as_deref(), row.sums.failed)).collect();
        let expected = [(None, 60), (Some("peer-0"), 10), (Some("peer-1"), 10), (Some("peer-2"), 10)];
        assert_eq!(parts, expected);
    }
    assert_eq!(tree.sums.calls, 18_001);
}

#[test]
fn endings_that_node_tries_belong_to_the_package_and_a_package_may_have_one() {
    let mut script = Script::new();
    script.execute("/usr/bin/node");
    for name in ["a.js", "a.json", "a.node", "chart.js"] {
        script.open_fails(&format!("/srv/node_modules/{name}"), READ, 2);
    }
    script.open("/srv/node_modules/a/package.json", READ);
    script.open("/srv/node_modules/chart.js/package.json", READ);
    let rows = rows(&tree(&script));
    assert!(rows.contains(&("Node packages | a".to_owned(), 4, 3)), "{rows:#?}");
    assert!(rows.contains(&("Node packages | chart.js".to_owned(), 2, 1)), "{rows:#?}");
}

#[test]
fn directories_and_slices_of_time_add_up_to_the_total() {
    let mut script = Script::new();
    script.execute("/usr/bin/node");
    for number in 0..100 {
        script.open_fails(&format!("/srv/app/node_modules/a/lib/{number}.js"), READ, 2);
    }
    script.wait_ms(90);
    script.open_fails("/srv/app/node_modules/b/index.js", READ, 2);
    let audit = tree(&script);
    let tree = audit.tree.as_ref().unwrap();
    let first = &tree.directories[0];
    assert_eq!(
        (first.directory.as_str(), first.calls, first.failed),
        ("/srv/app/node_modules/a/lib", 100, 100)
    );
    assert_eq!(tree.directories.iter().map(|one| one.calls).sum::<u64>(), tree.sums.calls);
    let slices = &tree.timeline;
    assert_eq!(slices.iter().map(|slice| slice.calls).sum::<u64>(), tree.sums.calls);
    assert_eq!(slices.iter().map(|slice| slice.failed).sum::<u64>(), tree.sums.failed);
    assert!((24..=48).contains(&slices.len()), "{slices:?}");
    assert_eq!((slices[0].from_ns, slices[0].most_item.as_deref()), (0, Some("a")));
    let last = slices.last().unwrap();
    assert_eq!((last.most_item.as_deref(), last.most_calls, last.failed), (Some("b"), 1, 1));
    assert!(slices.iter().any(|slice| slice.calls == 0 && slice.most_item.is_none()));
    assert!(slices.windows(2).all(|pair| pair[0].to_ns == pair[1].from_ns));
}

#[test]
fn courses_and_programs_have_each_call_of_each_slice_once() {
    let mut script = Script::new();
    script.execute("/usr/bin/node");
    for step in 0..40_u64 {
        script.open_fails(&format!("/srv/app/node_modules/large/{step}.js"), READ, 2);
        script.open_fails(&format!("/srv/app/node_modules/large/{step}.json"), READ, 2);
        script.open_fails(&format!("/srv/app/node_modules/p{step}/x.js"), READ, 2);
        for name in 0..6 {
            script.open_fails(&format!("/opt/{name}/{step}"), READ, 2);
        }
        script.wait_ms(1);
    }
    script.execute("/usr/bin/git");
    script.stat("/proc/self", 10);
    for step in 0..30 {
        script.open_fails(&format!("/srv/app/.git/objects/{step}"), READ, 2);
        script.wait_ms(1);
    }
    let audit = tree(&script);
    let tree = audit.tree.as_ref().unwrap();
    let name = |course: &CallTreeCourse| (course.group.clone().unwrap_or_default(), course.item.clone());
    let names: Vec<_> = tree.courses.iter().map(name).collect();
    let course = |group: &str, item: Option<&str>| (group.to_owned(), item.map(str::to_owned));
    // Programs and the kernel's files are less than one in a hundred.
    let expected = [
        course("Node packages", None),
        course("Node packages", Some("large")),
        course("Other directories", None),
        course("Git repository", Some("objects")),
        course("", None),
    ];
    assert_eq!(names.iter().collect::<BTreeSet<_>>(), expected.iter().collect(), "{names:?}");
    assert_eq!(names[3..], expected[3..], "{names:?}");
    for (number, slice) in tree.timeline.iter().enumerate() {
        let of_courses: u64 = tree.courses.iter().map(|course| course.calls[number]).sum();
        let of_programs: u64 = tree.programs.iter().map(|program| program.timeline[number]).sum();
        assert_eq!((of_courses, of_programs), (slice.calls, slice.calls), "{number}");
    }
    for program in &tree.programs {
        assert_eq!(program.timeline.iter().sum::<u64>(), program.calls);
    }
}

#[test]
fn a_call_that_lasts_over_slices_waits_in_all_of_them() {
    let mut script = Script::new();
    let file = script.open("/srv/app/data/log", 0o101);
    script.wait_ms(90);
    script.sync(file);
    let event = script.events.last_mut().unwrap();
    (event.took_ns, event.waited_ns) = (Some(60_000_000), Some(30_000_000));
    let tree = tree(&script).tree.unwrap();
    let slices = &tree.timeline;
    let sum = |of: fn(&CallTreeSlice) -> Option<u64>| slices.iter().filter_map(of).sum::<u64>();
    assert_eq!((sum(|slice| slice.took_ns), sum(|slice| slice.waited_ns)), (60_000_000, 30_000_000));
    let length = slices[0].to_ns;
    for slice in slices {
        let (took, waited) = (slice.took_ns.unwrap(), slice.waited_ns.unwrap());
        assert!(took <= length && waited * 2 <= took + 1, "{slice:?}");
        assert_eq!(took > 0, slice.to_ns > 30_000_000, "{slice:?}");
    }
}

#[test]
fn a_source_without_waits_has_none_in_its_slices() {
    let mut script = Script::new();
    script.stat("/etc/hosts", 10);
    script.wait_ms(5);
    script.stat("/etc/group", 10);
    script.events.last_mut().unwrap().took_ns = Some(1000);
    let tree = tree(&script).tree.unwrap();
    let last = tree.timeline.last().unwrap();
    assert_eq!((last.took_ns, last.waited_ns), (Some(1000), None));
}

#[test]
fn calls_that_waited_longest_come_first_with_their_mount() {
    let mut script = Script::new();
    script.mount("/", "ext4", "rw");
    script.mount("/srv/app/data", "xfs", "rw");
    let last = |script: &mut Script, took_ns, waited_ns| {
        let event = script.events.last_mut().unwrap();
        (event.took_ns, event.waited_ns) = (Some(took_ns), waited_ns);
    };
    let file = script.open("/srv/app/data/log", 0o101);
    last(&mut script, 5_000, Some(0));
    for _ in 0..2 {
        script.sync(file);
        last(&mut script, 9_000_000, Some(8_000_000));
    }
    script.stat("/etc/hosts", 10);
    last(&mut script, 40_000, Some(30_000));
    script.stat("/etc/group", 10);
    let audit = tree(&script);
    let waits: Vec<_> = audit
        .tree
        .as_ref()
        .unwrap()
        .waits
        .iter()
        .map(|one| {
            let mount = one.mount.clone().unwrap_or_default();
            let file_system = one.file_system.clone().unwrap_or_default();
            let place = format!("{} {} {mount} {file_system}", one.kind, one.directory);
            (place, one.calls, one.took_ns, one.waited_ns, one.longest_ns)
        })
        .collect();
    let row = |place: &str, calls, took_ns, waited_ns, longest_ns| {
        (place.to_owned(), calls, took_ns, Some(waited_ns), longest_ns)
    };
    let expected = [
        row("sync /srv/app/data /srv/app/data xfs", 2, 18_000_000, 16_000_000, 9_000_000),
        row("other /etc / ext4", 1, 40_000, 30_000, 40_000),
        row("open /srv/app/data /srv/app/data xfs", 1, 5_000, 0, 5_000),
    ];
    assert_eq!(waits, expected, "a call that tells no time is in none");
}

#[test]
fn what_is_beyond_a_hundred_rows_is_one() {
    let mut script = Script::new();
    for directory in 0..130_u64 {
        script.stat(&format!("/data/{directory}/x"), 10);
        let event = script.events.last_mut().unwrap();
        (event.took_ns, event.waited_ns) = (Some(1000 + directory), None);
    }
    let audit = tree(&script);
    let waits = &audit.tree.as_ref().unwrap().waits;
    assert_eq!(waits.len(), 101);
    let last = waits.last().unwrap();
    assert_eq!((last.directory.as_str(), last.calls, last.longest_ns), ("other directories", 30, 1029));
    assert_eq!(waits.iter().map(|one| one.took_ns).sum::<u64>(), (1000..1130).sum::<u64>());
}

//! Whose looks they are: the runtime's that loads code, or the program's.

use crate::finding::Owner;
use crate::rule::Guards;
use crate::script::{READ, Script};
use fathom_events::{FileAction, FileKind, Whence};

/// Owner and count of each finding of a rule, of a program that Python runs.
fn told(rule: u16, program: impl FnOnce(&mut Script)) -> Vec<(Owner, u64)> {
    let mut script = Script::new();
    script.load("/usr/bin/python3.11");
    let own = script.open("/srv/app/main.py", READ);
    script.read(own, 100, 99);
    script.close(own);
    program(&mut script);
    let found = script.findings(Guards::default());
    let of_rule = found.iter().filter(|finding| finding.rule.0 == rule);
    let mut told: Vec<_> = of_rule.map(|finding| (finding.owner, finding.count)).collect();
    told.sort_unstable();
    told
}

#[test]
fn a_module_is_asked_for_twice_and_opened_by_node_alone() {
    let pairs = |name: &str, links: bool| {
        let mut script = Script::new();
        script.load("/usr/bin/node");
        for number in 0..40 {
            let path = format!("/srv/app/{number}{name}");
            script.stat(&path, 99);
            if links {
                script.lstat(&path, 99);
            }
            // The scope of the module.
            script.open_fails("/srv/app/package.json", READ, 2);
            let file = script.open(&path, READ);
            script.read(file, 8192, 99);
            script.close(file);
        }
        let found = script.findings(Guards::default());
        let of_rule = found.iter().filter(|finding| finding.rule.0 == 13);
        of_rule.map(|finding| (finding.owner, finding.count)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(".js", true), [(Owner::Runtime, 40)]);
    assert_eq!(pairs(".js", false), [(Owner::Yours, 40)], "fs.statSync, fs.readFileSync");
    assert_eq!(pairs(".txt", true), [(Owner::Yours, 40)], "no module has such a name");
}

#[test]
fn each_thread_asks_twice_for_its_own_module() {
    let mut script = Script::new();
    script.load("/usr/bin/node");
    let main = 100;
    script.start_thread(main + 1);
    for number in 0..40 {
        let path = |thread: u32| format!("/srv/app/{thread}/{number}.js");
        for thread in [0, 1] {
            script.act_as(main, main + thread);
            script.stat(&path(thread), 99);
        }
        for thread in [0, 1] {
            script.act_as(main, main + thread);
            script.lstat(&path(thread), 99);
        }
        for thread in [0, 1] {
            // What a module's loader reads may be read by another thread.
            script.act_as(main, main + 1);
            let file = script.open(&path(thread), READ);
            script.read(file, 8192, 99);
            script.close(file);
        }
    }
    let found = script.findings(Guards::default());
    let told: Vec<_> = found.iter().filter(|finding| finding.rule.0 == 13).collect();
    let told: Vec<_> = told.iter().map(|finding| (finding.owner, finding.count)).collect();
    assert_eq!(told, [(Owner::Runtime, 80)]);
}

#[test]
fn the_script_is_looked_at_by_python_and_other_sources_by_the_script() {
    let told = |data: &str| {
        let mut script = Script::new();
        script.load("/usr/bin/python3.11");
        // Whether it is an archive of modules: its end tells.
        script.stat("/srv/app/main.py", 99);
        let file = script.open("/srv/app/main.py", READ);
        script.seek(file, -22, Whence::End, 77);
        script.read(file, 22, 22);
        script.close(file);
        for path in ["/srv/app/main.py", data, data] {
            script.stat(path, 99);
            let file = script.open(path, 0);
            script.read(file, 100, 99);
            script.close(file);
        }
        let found = script.findings(Guards::default());
        let of_rules = found.iter().filter(|finding| [13, 23].contains(&finding.rule.0));
        of_rules.map(|finding| (finding.rule.0, finding.owner, finding.count)).collect::<Vec<_>>()
    };
    let found = told("/srv/app/data.py");
    let yours: Vec<_> = found.iter().filter(|(_, owner, _)| *owner == Owner::Yours).collect();
    assert_eq!(yours, [&(13, Owner::Yours, 2)], "{found:?}");
    assert!(found.iter().any(|(rule, owner, _)| (*rule, *owner) == (13, Owner::Runtime)), "{found:?}");
    let again = |times: usize| {
        let mut script = Script::new();
        script.load("/usr/bin/python3.11");
        let data = vec!["/srv/app/data.json"; times];
        for (path, flags) in [("/srv/app/main.py", READ), ("/srv/app/main.py", 0)]
            .into_iter()
            .chain(data.into_iter().map(|path| (path, 0)))
        {
            let file = script.open(path, flags);
            script.read(file, 100, 99);
            script.close(file);
        }
        let found = script.findings(Guards::default());
        let of_rule = found.iter().filter(|finding| finding.rule.0 == 23);
        of_rule.map(|finding| (finding.owner, finding.count)).collect::<Vec<_>>()
    };
    assert_eq!(
        [again(0), again(3)],
        [vec![], vec![(Owner::Yours, 2)]],
        "the script's two are no habit of its"
    );
    let twice = told("/srv/app/main.py");
    assert!(twice.contains(&(23, Owner::Yours, 2)), "the script reads itself: {twice:?}");
}

#[test]
fn looks_of_import_are_the_runtimes() {
    let modules = told(15, |script| {
        for name in ["a", "b", "c"] {
            script.stat_as("/srv/app", FileKind::Directory, 4096);
            script.stat(&format!("/srv/app/{name}.py"), 100);
            script.stat(&format!("/srv/app/{name}.py"), 100);
            let bytecode = script.open(&format!("/srv/app/__pycache__/{name}.cpython-311.pyc"), READ);
            script.fstat(bytecode, 100);
            script.read(bytecode, 101, 100);
            script.close(bytecode);
        }
    });
    assert_eq!(modules, [(Owner::Runtime, 5)]);
}

#[test]
fn directories_that_the_program_lists_and_asks_for_are_its_own() {
    let walked = told(15, |script| {
        for _ in 0..3 {
            let directory = script.open("/data/in", open_flags());
            script.works(
                "getdents64",
                FileAction::List { descriptor: directory, entries: Some(4), undecided: Some(0) },
            );
            script.close(directory);
            script.stat_as("/data/in", FileKind::Directory, 4096);
        }
    });
    assert_eq!(walked, [(Owner::Yours, 2)], "listdir and isdir");
}

#[test]
fn sources_that_the_program_reads_as_data_are_its_own() {
    let linted = told(15, |script| {
        for _ in 0..3 {
            script.stat("/data/in/a.py", 100);
            script.stat("/data/in/b.py", 100);
        }
    });
    assert_eq!(linted, [(Owner::Yours, 4)]);
}

#[test]
fn archives_that_are_read_from_their_end_are_the_runtimes() {
    let read = |path: &str, first: i64| {
        let mut script = Script::new();
        script.load("/usr/bin/java");
        script.open("/srv/app/Main.class", READ);
        let file = script.open(path, READ);
        script.fstat(file, 400_000);
        for number in 0..20 {
            let at = if number == 0 { first } else { number * 7919 };
            script.seek(file, at, Whence::Start, at);
            script.read(file, 512, 512);
        }
        script.close(file);
        let found = script.findings(Guards::default());
        let seeks = found.iter().find(|finding| finding.rule.0 == 34);
        seeks.map(|finding| finding.owner)
    };
    assert_eq!(read("/srv/app/lib.jar", 399_872), Some(Owner::Runtime));
    assert_eq!(read("/srv/app/lib.jar", 7), Some(Owner::Yours));
    assert_eq!(read("/srv/app/data.bin", 399_872), Some(Owner::Yours));
}

/// Whose it is that a JVM looks at an archive and opens it again and again, where it resolved the real
/// path of another one when it started. Of each: looks before the opens, and readings in vain.
fn told_of_java(class_path: &str, archive: &str) -> [Vec<Owner>; 2] {
    let mut script = Script::new();
    script.load("/usr/bin/java");
    let target = script.target(class_path);
    script.fails("readlink", FileAction::ReadLink { target, to: None }, 22);
    let read = |script: &mut Script, path: &str, times: u32| {
        let file = script.open(path, READ);
        (0..2).for_each(|_| script.fstat(file, 400_000));
        script.seek(file, 399_872, Whence::Start, 399_872);
        (0..times).for_each(|_| script.read(file, 128, 128));
        script.close(file);
    };
    read(&mut script, class_path, 1);
    for _ in 0..300 {
        script.stat(archive, 400_000);
        read(&mut script, archive, 1);
    }
    let found = script.findings(Guards::default());
    let owners = |rules: &[u16]| {
        let of_rules = found.iter().filter(|finding| rules.contains(&finding.rule.0));
        of_rules.map(|finding| finding.owner).collect()
    };
    [owners(&[13, 15]), owners(&[23])]
}

#[test]
fn archives_of_the_class_path_are_the_runtimes_and_others_the_programs() {
    let loaded = told_of_java("/srv/app/app.jar", "/srv/app/app.jar");
    let of_program = told_of_java("/srv/app/app.jar", "/srv/app/data.jar");
    for (loaded, of_program) in loaded.iter().zip(&of_program) {
        assert_eq!((&loaded[..], &of_program[..]), (&[Owner::Runtime][..], &[Owner::Yours][..]));
    }
}

#[test]
fn what_ruby_opens_to_load_it_is_the_runtimes() {
    let missing = |flags: u32| {
        let mut script = Script::new();
        script.load("/usr/bin/ruby3.1");
        for _ in 0..5 {
            script.open_fails("/srv/app/lib/missing.rb", flags, 2);
        }
        let found = script.findings(Guards::default());
        found.iter().find(|finding| finding.rule.0 == 16).map(|finding| finding.owner)
    };
    assert_eq!(missing(READ | 0x800), Some(Owner::Runtime));
    assert_eq!(missing(READ), Some(Owner::Yours));
}

/// Owner and count of each finding of a rule, of what a program that Ruby runs does.
fn told_of_ruby(rule: u16, program: impl Fn(&mut Script)) -> Vec<(Owner, u64)> {
    let mut script = Script::new();
    script.load("/usr/bin/ruby3.1");
    program(&mut script);
    let found = script.findings(Guards::default());
    let of_rule = found.iter().filter(|finding| finding.rule.0 == rule);
    of_rule.map(|finding| (finding.owner, finding.count)).collect()
}

/// Opens a file and walks to its real path, with the questions that Ruby asks.
fn walk_after_open(script: &mut Script, name: &str, flags: u32) {
    let path = format!("/srv/app/lib/{name}.rb");
    script.works("getcwd", FileAction::CurrentDirectory { path: None });
    let file = script.open(&path, flags);
    script.close(file);
    for step in ["/srv", "/srv/app", "/srv/app/lib", &path] {
        let target = script.target(step);
        script.fails("readlink", FileAction::ReadLink { target, to: None }, 22);
    }
    script.stat(&path, 100);
}

/// With `O_NONBLOCK`, as `require` opens.
const LOADS: u32 = READ | 0x800;

#[test]
fn real_paths_of_what_ruby_loads_are_the_runtimes() {
    let twice = |flags: u32| {
        move |script: &mut Script| {
            for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
                (0..2).for_each(|_| walk_after_open(script, name, flags));
            }
        }
    };
    assert_eq!(told_of_ruby(20, twice(LOADS)), [(Owner::Runtime, 45)]);
    assert_eq!(told_of_ruby(20, twice(READ)), [(Owner::Yours, 45)], "File.realpath of the program's own");
    assert_eq!(told_of_ruby(15, twice(LOADS)), [(Owner::Runtime, 8)]);
    assert_eq!(told_of_ruby(15, twice(READ)), [(Owner::Yours, 8)]);
    assert_eq!(told_of_ruby(27, twice(LOADS)), [(Owner::Runtime, 15)]);
    assert_eq!(told_of_ruby(27, twice(READ)), [(Owner::Yours, 15)], "Dir.pwd before each open");
}

#[test]
fn ruby_asks_for_its_directory_when_it_starts() {
    let found = told_of_ruby(27, |script| {
        for name in ["enumerator.so", "thread.rb", "fiber.so", "rational.so", "complex.so"] {
            script.works("getcwd", FileAction::CurrentDirectory { path: None });
            let target = script.target(&format!("/srv/{name}"));
            script.fails("readlink", FileAction::ReadLink { target, to: None }, 2);
        }
    });
    assert_eq!(found, [(Owner::Runtime, 4)]);
}

fn open_flags() -> u32 {
    READ | crate::open_flags::DIRECTORY
}

#[test]
fn directories_of_the_search_path_are_pythons_and_others_the_programs() {
    let directory = |script: &mut Script, path: &str| script.stat_as(path, FileKind::Directory, 4096);
    let modules = |before: &'static [&'static str], then: &'static str| {
        told(15, |script| {
            for number in 0..6 {
                for path in before {
                    directory(script, path);
                }
                directory(script, then);
                let module = script.open(&format!("{then}/m{number}.py"), READ);
                script.read(module, 100, 99);
                script.close(module);
            }
        })
    };
    let library = "/usr/lib/python3.11";
    let count = |told: &[(Owner, u64)], owner: Owner| {
        told.iter().filter(|(whose, _)| *whose == owner).map(|(_, count)| count).sum::<u64>()
    };
    // Listed when it is first searched: asked for three times, and opened before the next of the path.
    let listed = told(15, |script| {
        (0..3).for_each(|_| directory(script, "/opt/plugins"));
        let list = script.open("/opt/plugins", READ);
        script.close(list);
        for _ in 0..5 {
            directory(script, library);
            directory(script, "/opt/plugins");
        }
        directory(script, library);
    });
    assert_eq!(count(&listed, Owner::Yours), 3, "before it is known: {listed:?}");
    let one = modules(&["/opt/plugins"], library);
    assert_eq!((count(&one, Owner::Runtime), count(&one, Owner::Yours)), (10, 0), "{one:?}");
    // All of them are known once the path was gone through.
    let two = modules(&["/opt/plugins", "/opt/more"], library);
    assert_eq!((count(&two, Owner::Runtime), count(&two, Owner::Yours)), (15, 0), "{two:?}");
    let own = told(15, |script| (0..6).for_each(|_| directory(script, "/opt/plugins")));
    assert_eq!(own, [(Owner::Yours, 5)]);
    // Asked for by itself as often: it is the program's, also right before an import.
    let both = told(15, |script| {
        for number in 0..6 {
            directory(script, "/opt/plugins");
            script.stat(&format!("/opt/plugins/{number}"), 99);
            directory(script, "/opt/plugins");
            directory(script, library);
        }
    });
    assert_eq!((count(&both, Owner::Runtime), count(&both, Owner::Yours)), (5, 11), "{both:?}");
}

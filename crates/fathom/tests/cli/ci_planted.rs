//! `fathom ci` in six languages: one stat more per file, one fsync, one look-up in a directory that is not
//! there, an open that moved to another program. Each is named with count, path class and owner; with
//! `--stacks` also by its line, or it is said that no line is known.

use crate::capability::{Capability, has};
use crate::ci::{compared, git, rows};
use crate::sandbox::{Sandbox, shared_cache};
use serde_json::Value;
use std::fs;

/// A program that looks at each of four files, writes one and reads one.
struct Program {
    needs: Capability,
    file: &'static str,
    source: &'static str,
    build: &'static str,
    run: &'static str,
    /// What comes in the place of these words: a stat of each file before or after the one that is there.
    look: &'static str,
    /// What is done with the file that was written: synced, and a name in no directory looked up.
    keep: &'static str,
    /// The copy by the program itself, and by another one.
    moved: [&'static str; 2],
    /// The call that looks at a file, and the one that finds nothing.
    calls: [&'static str; 2],
    /// The functions that look and keep, as stacks have them.
    functions: [&'static str; 2],
}

const PROGRAMS: [Program; 6] = [
    Program {
        needs: Capability::C,
        file: "tool.c",
        source: include_str!("ci_planted/tool.c"),
        build: "gcc -g -O1 -o tool tool.c",
        run: "./tool",
        look: "fstatat(AT_FDCWD, name, &facts, 0);",
        keep: "fsync(out); open(\"missing/file\", O_RDONLY);",
        moved: [
            "copy(\"moved.dat\");",
            "pid_t child; char *words[] = {\"cat\", \"moved.dat\", 0}; posix_spawnp(&child, \"cat\", 0, 0, words, 0); wait(0);",
        ],
        calls: ["newfstatat", "openat"],
        functions: ["look", "keep"],
    },
    Program {
        needs: Capability::Go,
        file: "tool.go",
        source: include_str!("ci_planted/tool.go"),
        build: "GOCACHE={cache}/go GO111MODULE=off go build -o tool tool.go",
        run: "./tool",
        look: "_, _ = os.Stat(name)",
        keep: "out.Sync(); os.Open(\"missing/file\")",
        moved: [
            "copyOf(\"moved.dat\")",
            "child, _ := os.StartProcess(\"/bin/cat\", []string{\"cat\", \"moved.dat\"}, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}}); child.Wait()",
        ],
        calls: ["newfstatat", "openat"],
        functions: ["main.look", "main.keep"],
    },
    Program {
        needs: Capability::Rust,
        file: "tool.rs",
        source: include_str!("ci_planted/tool.rs"),
        build: "rustc -g -O -o tool tool.rs",
        run: "./tool",
        look: "let _again = fs::metadata(name);",
        keep: "out.sync_all().unwrap(); let _ = File::open(\"missing/file\");",
        moved: [
            "copy(\"moved.dat\");",
            "let _ = std::process::Command::new(\"cat\").arg(\"moved.dat\").status();",
        ],
        calls: ["statx", "openat"],
        functions: ["tool::look", "tool::keep"],
    },
    Program {
        needs: Capability::SystemPython,
        file: "tool.py",
        source: include_str!("ci_planted/tool.py"),
        build: ":",
        run: "/usr/bin/python3 -S -E tool.py",
        look: "_ = os.stat(name)",
        keep: "os.fsync(out); os.path.exists('missing/file')",
        moved: [
            "copy(\"moved.dat\")",
            "os.waitpid(os.posix_spawn('/bin/cat', ['cat', 'moved.dat'], os.environ), 0)",
        ],
        calls: ["newfstatat", "newfstatat"],
        functions: ["look", "keep"],
    },
    Program {
        needs: Capability::Node,
        file: "tool.mjs",
        source: include_str!("ci_planted/tool.mjs"),
        build: ":",
        run: "node tool.mjs",
        look: "void statSync(name);",
        keep: "fsyncSync(out); existsSync('missing/file');",
        moved: ["copy(\"moved.dat\");", "spawnSync('cat', ['moved.dat']);"],
        calls: ["statx", "access"],
        functions: ["look", "keep"],
    },
    Program {
        needs: Capability::Java,
        file: "Tool.java",
        source: include_str!("ci_planted/Tool.java"),
        build: "javac Tool.java",
        run: "java Tool",
        look: "if (!Files.readAttributes(Path.of(name), BasicFileAttributes.class).isRegularFile()) return;",
        keep: "out.force(true); new java.io.File(\"missing/file\").exists();",
        moved: ["copy(\"moved.dat\");", "new ProcessBuilder(\"cat\", \"moved.dat\").start().waitFor();"],
        calls: ["statx", "newfstatat"],
        functions: ["Tool.look", "Tool.keep"],
    },
];

/// The source with one of its comments, or other words, replaced.
fn with(source: &str, words: &str, by: &str) -> String {
    let comment = |mark: &str| {
        let open = source.find(&format!("{mark} {words}"))?;
        let end = open + source[open..].find('\n')?;
        Some(format!("{}{by}{}", &source[..open], &source[end..]))
    };
    ["/*", "//", "#"].into_iter().find_map(comment).unwrap_or_else(|| {
        // The last one: functions are called below where they are defined.
        let at = source.rfind(words).unwrap();
        format!("{}{by}{}", &source[..at], &source[at + words.len()..])
    })
}

fn line_of(source: &str, words: &str) -> u64 {
    1 + source.lines().position(|line| line.contains(words)).unwrap() as u64
}

/// A repository with the program, and a commit with each of these versions of it.
fn repository(program: &Program, versions: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 1..=4 {
        sandbox.write(&format!("data/{number}.txt"), "words");
    }
    sandbox.write("moved.dat", "words");
    let Program { build, run, .. } = program;
    let build = build.replace("{cache}", &shared_cache().display().to_string());
    sandbox.write(
        ".fathom.toml",
        &format!(
            "[build]\nrun = '{build}'\n[[command]]\nname = 'tool'\nsetup = 'rm -f out'\nrun = '{run}'\n"
        ),
    );
    sandbox.write(".gitignore", "data-home\ncheckouts\n*.md\n");
    sandbox.write(program.file, program.source);
    git(&sandbox, "git init -q .\ngit add -A\ngit commit -qm before\ngit tag before");
    for (number, version) in versions.iter().enumerate() {
        sandbox.write(program.file, version);
        git(&sandbox, &format!("git commit -qam 'version {number}'\ngit tag v{number}"));
    }
    sandbox
}

/// `FUNCTION:LINE` of every change, by its call.
fn lines(found: &Value) -> Vec<String> {
    let changes = found["calls"]["changes"].as_array().unwrap().iter();
    let line = |row: &Value| {
        let line = &row["line"];
        format!(
            "{} {}:{}",
            row["class"]["call"].as_str().unwrap(),
            line["function"].as_str().unwrap_or("?"),
            line["line"]
        )
    };
    let mut lines: Vec<_> = changes.map(line).collect();
    lines.sort();
    lines
}

fn assert_planted_changes_are_named(program: &Program) {
    if !has(program.needs) {
        return;
    }
    let Program { file, source, look, keep, moved, calls, .. } = program;
    let [stat, missing] = calls;
    let planted = with(&with(source, "each file", look), "out", keep);
    let above = with(source, "before", look);
    let elsewhere = with(source, moved[0], moved[1]);
    let sandbox = repository(program, &[&planted, &above, &elsewhere]);

    let found = compared(&sandbox, "--base before --head v0", 0);
    let mut expected = [
        "fsync descriptor {checkout}/out yours 0 1".to_owned(),
        format!("{missing}=ENOENT path {{checkout}}/missing/file yours 0 1"),
        format!("{stat} path {{checkout}}/data/*.txt yours 4 8"),
    ];
    expected.sort();
    assert_eq!(rows(&found), expected, "{file}: {found:#}");

    let text = sandbox.fathom("ci --full --base before --head v2").output().unwrap();
    let text = String::from_utf8_lossy(&text.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    let program_name = found["calls"]["changes"][0]["class"]["program"].as_str().unwrap();
    let sentence =
        format!("moved: 1 openat at {{checkout}}/moved.dat from yours, {program_name} to yours, cat");
    assert!(text.contains(&sentence), "{file}: {text}");

    let found = compared(&sandbox, "--base before --head v0 --stacks --markdown comment.md", 0);
    assert_eq!(rows(&found), expected, "{file} with stacks: {found:#}");
    let comment = fs::read_to_string(sandbox.file("comment.md")).unwrap();
    let [looks, keeps] = program.functions;
    let kept = line_of(&planted, keep);
    let mut expected = [
        format!("fsync {keeps}:{kept}"),
        format!("{missing} {keeps}:{kept}"),
        format!("{stat} {looks}:{}", line_of(&planted, look)),
    ];
    expected.sort();
    assert_eq!(lines(&found), expected, "{file}: {found:#}");
    assert!(comment.contains(&format!("`{keeps} ({file}:{kept})`")), "{file}: {comment}");
    // The line that was there stands below the new one now, and is not the one.
    let found = compared(&sandbox, "--base before --head v1 --stacks", 0);
    assert_eq!(lines(&found), [format!("{stat} {looks}:{}", line_of(&above, look))], "{file}: {found:#}");
}

#[test]
#[ignore = "long"]
fn planted_changes_of_compiled_programs_are_named_with_their_lines() {
    PROGRAMS[..3].iter().for_each(assert_planted_changes_are_named);
}

#[test]
#[ignore = "long"]
fn planted_changes_of_python_are_named() {
    assert_planted_changes_are_named(&PROGRAMS[3]);
}

#[test]
#[ignore = "long"]
fn planted_changes_of_node_are_named() {
    assert_planted_changes_are_named(&PROGRAMS[4]);
}

#[test]
#[ignore = "long"]
fn planted_changes_of_java_are_named() {
    assert_planted_changes_are_named(&PROGRAMS[5]);
}

//! Names with characters that cannot be seen, or that turn others around: every form that people read
//! shows an escape, JSON keeps the name.

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;

/// Direction (UAX #9), no width, an end of a line, C1 controls, and the beginning of terminals' commands.
const HIDDEN: [char; 22] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}', '\u{200e}', '\u{200f}', '\u{61c}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}',
    '\u{feff}', '\u{2028}', '\u{85}', '\u{9b}', '\u{7f}', '\u{1b}',
];

/// A file of each name in `files`, and a program that reads every one wastefully.
fn with_files() -> Sandbox {
    let sandbox = Sandbox::new();
    for hidden in HIDDEN {
        let folder = sandbox.file(&format!("files/in{hidden}side"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("a{hidden}b")), "words").unwrap();
    }
    sandbox.write(
        "read.py",
        "import os\n\
         for folder in sorted(os.listdir('files')):\n\
         \x20   path = 'files/' + folder + '/' + os.listdir('files/' + folder)[0]\n\
         \x20   for _ in range(20):\n\
         \x20       file = os.open(path, os.O_RDONLY)\n\
         \x20       os.fstat(file); os.fstat(file); os.read(file, 9); os.close(file)\n",
    );
    sandbox
}

fn is_shown(text: &str, hidden: char) -> bool {
    text.contains(&format!("a\\u{{{:x}}}b", u32::from(hidden)))
}

/// Those that stand in a text as they are.
fn raw(text: &str) -> Vec<char> {
    HIDDEN.into_iter().filter(|hidden| text.contains(*hidden)).collect()
}

#[test]
#[ignore = "long"]
fn every_form_of_an_audit_shows_them() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_files();
    sandbox.fathom("trace -o t.events -- /usr/bin/python3 -S -E read.py").assert().code(0);
    let audit = |form: &str| {
        // One file at a time, so that a finding names it.
        let of = |hidden: char| {
            let mut audit =
                sandbox.fathom(&format!("audit --no-config --format {form} --from t.events --under"));
            let output = audit.arg(sandbox.file(&format!("files/in{hidden}side"))).output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{form}: {output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        HIDDEN.map(|hidden| (hidden, of(hidden)))
    };
    for form in ["text --full", "short", "markdown", "html", "sarif"] {
        for (hidden, text) in audit(form) {
            let escape = format!("\\u{{{:x}}}", u32::from(hidden));
            let escape = if form == "sarif" { escape.replace('\\', "\\\\") } else { escape };
            assert!(text.contains(&escape), "{form}, {hidden:?}: {text}");
            assert_eq!(raw(&text), [] as [char; 0], "{form}, {hidden:?}");
        }
    }
    for (hidden, text) in audit("json") {
        assert_eq!(raw(&text), [] as [char; 0], "{hidden:?}");
        let audit: Value = serde_json::from_str(&text).unwrap();
        assert!(audit.to_string().contains(hidden) || hidden == '\u{1b}', "{hidden:?}: {text}");
        assert!(!is_shown(&audit.to_string(), hidden), "it is the very name");
    }
}

#[test]
fn messages_show_them() {
    let sandbox = Sandbox::new();
    for hidden in HIDDEN {
        let name = format!("a{hidden}b");
        let output = sandbox.fathom("show").arg(&name).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(is_shown(&said, hidden) && raw(&said).is_empty(), "{said:?}");
    }
}

#[test]
fn every_form_of_a_record_shows_them() {
    let sandbox = Sandbox::new();
    let name: String = HIDDEN.iter().collect();
    fs::create_dir(sandbox.file(&name)).unwrap();
    let bench = sandbox
        .fathom("bench open-close --methods native:open --counts-only -o r.json --dir")
        .arg(&name)
        .output()
        .unwrap();
    assert_eq!(bench.status.code(), Some(0), "{bench:?}");
    let said = String::from_utf8([bench.stdout, bench.stderr].concat()).unwrap();
    let kept = fs::read_to_string(sandbox.file("r.json")).unwrap();
    let mut texts = vec![("bench".to_owned(), said), ("record".to_owned(), kept)];
    for words in [
        "show r.json --full",
        "report r.json",
        "report r.json --format md",
        "export r.json --format csv",
        "export r.json --format markdown",
        "export r.json --format junit",
        "export r.json --format benchfmt",
        "export r.json --format bencher",
        "export r.json --format hyperfine",
        "export r.json --format github-action-benchmark",
    ] {
        let output = sandbox.fathom(words).output().unwrap();
        if output.status.code() == Some(0) {
            texts.push((words.to_owned(), String::from_utf8(output.stdout).unwrap()));
        }
    }
    assert!(texts.len() >= 8, "{}", texts.len());
    for (what, text) in &texts {
        assert_eq!(raw(text), [] as [char; 0], "{what}");
    }
    for (what, text) in
        texts.iter().filter(|(what, _)| what.starts_with("report") || what.starts_with("show"))
    {
        assert!(text.contains("\\u{202e}"), "{what}: {text}");
    }
    let record = sandbox.record("r.json");
    assert!(format!("{}", record.places[0].place).contains(&name), "JSON keeps the name");
}

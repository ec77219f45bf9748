//! Man pages, completions and the reference pages of the command line: complete,
//! accepted by the programs that read them, and current.

use crate::capability::{Capability, has};
use crate::pages::output_of;
use crate::sandbox::{Sandbox, workspace};
use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

/// The commands of a help text.
fn commands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Usage:")).skip(1);
    let listed = lines.take_while(|line| *line != "Options:");
    let words = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = words.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// Every command, those of commands too, with its long help.
fn all_helps(sandbox: &Sandbox) -> BTreeMap<String, String> {
    let mut helps = BTreeMap::new();
    let mut open = vec![String::new()];
    while let Some(name) = open.pop() {
        let help = output_of(sandbox, &format!("{name} --help"));
        let below = commands(&help).into_iter().filter(|command| command != "help");
        open.extend(below.map(|command| format!("{name} {command}").trim().to_owned()));
        helps.insert(name, help);
    }
    helps
}

/// The options of a help text: words that begin with `--`, where options are listed.
fn options(help: &str) -> Vec<String> {
    let listed = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = listed.filter_map(|line| line.split([' ', '=']).find(|word| word.starts_with("--")));
    words.map(str::to_owned).collect()
}

#[test]
#[ignore = "long"]
fn every_command_has_a_page_that_tells_every_option_and_is_well_formed() {
    let sandbox = Sandbox::new();
    sandbox.fathom("man --output man1").assert().code(0);
    let helps = all_helps(&sandbox);
    assert!(helps.len() > 18, "{:?}", helps.keys());
    assert_eq!(fs::read_dir(sandbox.file("man1")).unwrap().count(), helps.len());
    let groff = has(Capability::Groff);
    for (name, help) in &helps {
        let page = format!("man1/{}.1", format!("fathom {name}").trim().replace(' ', "-"));
        let text = fs::read_to_string(sandbox.file(&page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        let plain = text.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
        let options = options(help);
        assert!(options.len() >= 2, "{name}: {options:?}");
        for option in options {
            assert!(plain.contains(&option), "{page}: no {option}");
        }
        assert!(!help.contains("Examples:") || plain.contains(".SH EXAMPLES"), "{page}: no examples");
        if groff {
            let output = sandbox.command("groff").args(["-man", "-ww", "-z", &page]).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{page}: {said}");
        }
        assert_eq!(output_of(&sandbox, &format!("man {name}")), text, "{name}");
    }
}

#[test]
fn a_page_that_does_not_exist_is_an_error() {
    let sandbox = Sandbox::new();
    let asked = sandbox.fathom("man driver chekc").assert().code(2);
    asked.stderr(predicates::str::contains("no command `driver chekc`"));
}

/// Loads the script and asks what a shell would ask at the tab key.
const COMPLETE: &str = "\
source fathom.bash
complete -p fathom >&2 || exit 3
COMP_WORDS=(fathom TYPED); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_fathom fathom \"${COMP_WORDS[$COMP_CWORD]}\" \"${COMP_WORDS[$COMP_CWORD - 1]}\"
printf '%s\\n' \"${COMPREPLY[@]}\"
";

#[test]
fn bash_completes_commands_options_and_values() {
    let sandbox = Sandbox::new();
    sandbox.write("fathom.bash", &output_of(&sandbox, "completions bash"));
    for (words, expected) in [
        ("ben", "bench"),
        ("bench --latenc", "--latencies"),
        ("driver che", "check"),
        ("export --format benchf", "benchfmt"),
        ("completions fi", "fish"),
    ] {
        let script = COMPLETE.replace("TYPED", words);
        let output = sandbox.command("bash").args(["--norc", "-c", &script]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {said}");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{words}: {said}");
    }
}

#[test]
fn other_shells_have_scripts_that_they_can_read() {
    let sandbox = Sandbox::new();
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        let script = output_of(&sandbox, &format!("completions {shell}"));
        for word in ["bench", "flame-graph", "latencies"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
        let path = sandbox.write(shell, &script);
        let reader = match shell {
            "zsh" if has(Capability::Zsh) => "zsh",
            "fish" if has(Capability::Fish) => "fish",
            _ => continue,
        };
        let read = sandbox.plain_command(reader).arg("-n").arg(path).stdin(Stdio::null()).output().unwrap();
        assert!(read.status.success(), "{shell}: {}", String::from_utf8_lossy(&read.stderr));
    }
}

#[test]
fn the_reference_pages_of_the_command_line_are_current() {
    let sandbox = Sandbox::new();
    sandbox.fathom("man --format markdown --output reference").assert().code(0);
    for page in ["commands.md", "exit-codes.md"] {
        let made = fs::read_to_string(sandbox.file("reference").join(page)).unwrap();
        let kept = fs::read_to_string(workspace().join("docs/reference").join(page)).unwrap_or_default();
        assert!(made == kept, "docs/reference/{page} is stale: run `cargo run -p xtask -- reference`");
    }
    let made = fs::read_dir(sandbox.file("reference")).unwrap().count();
    assert_eq!(made, 2, "a page that is made and not compared");
}

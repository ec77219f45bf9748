//! Variables that change how programs run stand in what was measured under them.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use std::fs;

const SET: [(&str, &str); 4] =
    [("LD_BIND_NOW", "1"), ("MALLOC_ARENA_MAX", "3"), ("GODEBUG", "panicnil=1"), ("PYTHONPATH", "/nowhere")];

#[test]
fn a_record_names_what_reached_its_drivers() {
    let sandbox = Sandbox::new();
    let mut bench = sandbox.fathom("bench open-close --methods native:open --counts-only -o r.json");
    for (name, value) in SET {
        bench.env(name, value);
    }
    // A native driver reads neither Go's nor Python's.
    bench.assert().code(0).stdout(says("drivers inherit them: LD_BIND_NOW, MALLOC_ARENA_MAX"));
    let record = sandbox.record("r.json");
    for (name, value) in SET {
        assert_eq!(record.environment.variables.get(name).map(String::as_str), Some(value));
    }
    let warnings: Vec<_> = record.warnings.iter().filter(|warning| warning.code == "variables").collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].message.ends_with(": LD_BIND_NOW, MALLOC_ARENA_MAX"), "{warnings:?}");
}

#[test]
fn what_is_said_of_a_command_names_what_it_inherits() {
    let sandbox = Sandbox::new();
    let run = |words: &str| {
        let mut command = sandbox.fathom(words);
        for (name, value) in SET {
            command.env(name, value);
        }
        command.assert().code(predicates::function::function(|code: &i32| *code < 2));
    };
    run("count --format json -o count.json -- true");
    run("compare --commands true true --counts-only -o compare.json");
    run("audit --no-config --format json -o true.json -- true");
    let text = fs::read_to_string(sandbox.file("true.json")).unwrap();
    assert!(text.contains("GODEBUG=panicnil=1"), "a program of Go is not always known as one: {text}");
    assert!(!text.contains("PYTHONPATH"), "no Python ran: {text}");
    let mut files = vec!["count.json", "compare.json"];
    if has(Capability::Python) {
        run("audit --no-config --format json -o audit.json -- python3 -S -c pass");
        files.push("audit.json");
    }
    for file in files {
        let text = fs::read_to_string(sandbox.file(file)).unwrap();
        assert!(
            text.contains("inherit them: ") || text.contains("inherited by the command: "),
            "{file}: {text}"
        );
        for (name, _) in SET {
            assert!(text.contains(name), "{file}: {name}");
        }
        for value in ["panicnil=1", "/nowhere"] {
            assert!(text.contains(value), "{file}: {value}");
        }
    }
}

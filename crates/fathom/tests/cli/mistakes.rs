//! What a user gets wrong: each mistake is named, with the nearest valid word,
//! exit code 2, and nothing measured.

use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use std::fs;

/// Each of `words` must stand on standard error of the command, which exits 2.
fn refused(sandbox: &Sandbox, command: &str, words: &[&str]) {
    let assert = sandbox.fathom(command).assert().code(2).stdout(is_empty());
    for word in words {
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(said.contains(word), "`fathom {command}` should say `{word}`:\n{said}");
    }
    assert!(!sandbox.file("data").exists(), "`fathom {command}` wrote a record");
    sandbox.assert_nothing_left();
}

#[test]
fn an_unknown_word_is_answered_with_the_nearest_one() {
    let sandbox = Sandbox::new();
    for (command, words) in [
        ("bnech", ["bnech", "'bench'"]),
        ("bench open-goo", ["no experiment or operation `open-goo`", "did you mean `open-go`?"]),
        ("bench opn-close", ["`opn-close`", "did you mean `open-close`?"]),
        ("bench xyzzy", ["`xyzzy`", "`fathom list` shows every entry"]),
        ("bench open-close --chache warm", ["'--chache'", "'--cache'"]),
        ("bench open-close --methods go:os.Opne", ["--methods: unknown method `go:os.Opne`", "`go:os.Open`"]),
        ("bench open-close --methods ntive:open", ["`ntive:open`", "did you mean `native:open`?"]),
        ("bench open-close --methods native:pread", ["`native:pread` cannot perform `open-close`", "hint: "]),
        ("bench open-close --cache wram", ["--cache: unknown cache state `wram`", "did you mean `warm`?"]),
        ("bench read-whole --content randm", ["--content", "did you mean `random`?"]),
        ("bench read-block --access squential", ["--access", "did you mean `sequential`?"]),
        ("bench open-close --block 4KiB", ["--block", "has no meaning for `open-close`"]),
        ("bench open-go --baseline go:os.Opn", ["--baseline", "did you mean `go:os.Open`?"]),
        ("driver path ntive", ["no driver `ntive` ships", "error: "]),
    ] {
        refused(&sandbox, command, &words);
    }
}

#[test]
fn sizes_and_numbers_that_are_none_are_named() {
    let sandbox = Sandbox::new();
    for (command, words) in [
        ("bench read-whole --size 4KiBB", ["--size: `4KiBB` is no size", "did you mean `4 KiB`?"]),
        ("bench read-whole --size big", ["--size: `big` is no size", "error: "]),
        ("bench read-whole --size=-3", ["`-3` is no size", "--size"]),
        ("bench read-whole --size 99999999999999TiB", ["--size", "is no size"]),
        ("bench read-block --block 0", ["--block", "error: "]),
        ("bench open-close --time 0", ["--time", "a number of seconds above 0"]),
        ("bench open-close --time NaN", ["--time", "a number of seconds above 0"]),
        ("bench open-close --precision=-1", ["--precision", "a percentage above 0"]),
        ("bench open-close --files 0", ["--files", "error: "]),
    ] {
        refused(&sandbox, command, &words);
    }
}

#[test]
fn a_catalog_error_names_file_line_and_nearest_word() {
    let sandbox = Sandbox::new();
    let good = "name = \"mine\"\ntitle = \"t\"\nquestion = \"q?\"\noperation = \"open-close\"\nmethods = [\"native:open\"]\n[data]\nsize = \"4 KiB\"\n";
    for (from, to, words) in [
        ("operation =", "opration =", ["mine.toml:4: unknown key `opration`", "did you mean `operation`?"]),
        (
            "native:open",
            "native:opn",
            ["mine.toml:5: unknown method `native:opn`", "did you mean `native:open`?"],
        ),
        ("open-close", "open-clos", ["mine.toml:4: unknown operation", "did you mean `open-close`?"]),
        ("\"q?\"", "7", ["mine.toml:3: ", "`question` takes"]),
        ("\"t\"", "\"t", ["mine.toml:2: not valid TOML", "error: "]),
        ("title = \"t\"\n", "", ["mine.toml:", "missing key `title`"]),
    ] {
        assert!(good.contains(from));
        sandbox.write("mine.toml", &good.replace(from, to));
        refused(&sandbox, "bench mine.toml", &words);
    }
    sandbox.write("mine.toml", good);
    sandbox.fathom("bench mine.toml --time 0.05").assert().code(0).stdout(says("native:open"));
    fs::remove_dir_all(sandbox.file("data")).unwrap();
    refused(&sandbox, "bench other.toml", &["failed to read other.toml", "No such file"]);
}

#[test]
fn what_is_no_record_is_named_and_explained() {
    let sandbox = Sandbox::new();
    sandbox.fathom("bench open-close --methods native:open --time 0.05 -o good.json").assert().code(0);
    let good = fs::read_to_string(sandbox.file("good.json")).unwrap();
    assert!(good.contains("\"schema_version\":1,"));
    sandbox.write("foreign.json", "{\"results\": []}");
    sandbox.write("text.json", "hello\n");
    sandbox.write("cut.json", &good[..good.len() / 2]);
    sandbox.write("future.json", &good.replace("\"schema_version\":1,", "\"schema_version\":999,"));
    sandbox.write("lacking.json", &good.replace("\"complete\":", "\"entire\":"));
    for (file, words) in [
        ("missing.json", "failed to read missing.json: No such file"),
        ("foreign.json", "foreign.json is not a Fathom record: it has no schema_version"),
        ("text.json", "text.json is not a Fathom record"),
        ("cut.json", "cut.json is not a Fathom record: EOF"),
        ("future.json", "future.json has schema version 999, this Fathom reads version 1"),
        ("lacking.json", "failed to read the record lacking.json: missing field `complete`"),
    ] {
        refused(&sandbox, &format!("show {file}"), &[words]);
    }
    sandbox.fathom("show .").assert().code(2).stderr(says("directory"));
}

#[test]
fn a_place_for_the_record_is_looked_for_before_anything_is_measured() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("folder")).unwrap();
    sandbox.write("file", "");
    refused(&sandbox, "bench open-close -o folder", &["folder: it is a directory"]);
    refused(&sandbox, "bench open-close -o file/record.json", &["failed to make file"]);
    let no_home = sandbox
        .fathom("bench open-close --methods native:open --time 0.05")
        .env_remove("XDG_DATA_HOME")
        .env_remove("HOME")
        .assert();
    no_home.code(2).stderr(says("neither XDG_DATA_HOME nor HOME is set").or(says("kept in")));
}

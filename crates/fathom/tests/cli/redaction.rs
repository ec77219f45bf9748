//! What is made to be published holds no home directory, no user's name, no host's name and no secret,
//! wherever in the file; what is kept at home holds them unless it is asked to leave them out.

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;
use std::process::Output;

const USER: &str = "mrs-smith-17";
const HOST: &str = "secretbox-17";
const PASSWORD: &str = "hunter2-and-more";
const TOKEN: &str = "ghp_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8";

/// A file whose path has the names of user and host in it.
const LOG: &str = "away/mrs-smith-17/secretbox-17.log";

/// The reader as a file of the project, whose name has that of the user in it.
const OWN: &str = "src/mrs-smith-17.py";

/// Reads one file wastefully enough to be told of it.
const READER: &str = "\
import os, sys
for _ in range(40):
    os.stat(sys.argv[1])
    file = os.open(sys.argv[1], os.O_RDONLY)
    os.fstat(file)
    os.fstat(file)
    os.read(file, 100)
    os.close(file)
";

/// A home directory with a project in it, on a machine of its own name.
struct Person {
    sandbox: Sandbox,
    home: String,
}

impl Person {
    /// `None` where a machine cannot be given a name.
    fn new(home: &str) -> Option<Self> {
        if !has(Capability::Namespaces) || !has(Capability::SystemPython) {
            return None;
        }
        let sandbox = Sandbox::new();
        let home = sandbox.file(home).display().to_string();
        for folder in
            [&format!("{home}/project/src"), &sandbox.file("away/mrs-smith-17").display().to_string()]
        {
            fs::create_dir_all(folder).unwrap();
        }
        sandbox.write(LOG, "words");
        fs::write(format!("{home}/reader.py"), READER).unwrap();
        fs::write(format!("{home}/notes.txt"), "notes").unwrap();
        fs::write(format!("{home}/project/{OWN}"), READER).unwrap();
        Some(Self { sandbox, home })
    }

    /// Runs a command of Fathom's in the project.
    fn run(&self, words: &str) -> Output {
        let home = &self.home;
        let script = format!(
            "export HOME='{home}' USER={USER}; cd '{home}/project' && \
             unshare -r --uts sh -c 'hostname {HOST} && exec fathom {words}'"
        );
        self.sandbox.shell(&script)
    }

    /// The command of the reader of a file, with more words than it needs.
    fn reader(&self, path: &str) -> String {
        let home = &self.home;
        let reader = if path == OWN { OWN.to_owned() } else { format!("{home}/reader.py") };
        format!("/usr/bin/python3 -S -E {reader} {path} {home}/notes.txt --password {PASSWORD} TOKEN={TOKEN}")
    }

    fn log(&self) -> String {
        self.sandbox.file(LOG).display().to_string()
    }

    /// The audit of the reader of a file in a form.
    fn audit(&self, options: &str, path: &str) -> String {
        let output = self.run(&format!("audit --no-config {options} -- {}", self.reader(path)));
        assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Which of the names and secrets a text holds.
    fn leaks(&self, text: &str) -> Vec<String> {
        let all = [self.home.as_str(), USER, HOST, PASSWORD, TOKEN];
        all.into_iter().filter(|secret| text.contains(secret)).map(str::to_owned).collect()
    }
}

#[test]
fn what_is_published_of_an_audit_leaks_nothing() {
    let Some(person) = Person::new("home") else { return };
    for form in ["html", "markdown"] {
        let text = person.audit(&format!("--format {form}"), &person.log());
        assert_eq!(person.leaks(&text), Vec::<String>::new(), "{form}");
        assert!(text.contains("~/notes.txt") && text.contains("HOST.log"), "{form}");
        assert_eq!(text.matches("--redact=never").count(), 1, "{form}: said once: {text}");
        let whole = person.audit(&format!("--format {form} --redact=never"), &person.log());
        assert_eq!(person.leaks(&whole).len(), 5, "{form}: all of it was there");
    }
    for form in ["json", "text --full"] {
        let text = person.audit(&format!("--format {form}"), &person.log());
        assert_eq!(person.leaks(&text).len(), 5, "{form}: {text}");
        let text = person.audit(&format!("--format {form} --redact"), &person.log());
        assert_eq!(person.leaks(&text), Vec::<String>::new(), "{form}");
    }
}

#[test]
fn a_record_inside_a_published_page_leaks_nothing() {
    let Some(person) = Person::new("home") else { return };
    person.audit("--format html -o page.html", &person.log());
    let shown = String::from_utf8(person.run("show page.html --format json").stdout).unwrap();
    let audit: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(audit["kind"], "audit");
    assert_eq!(person.leaks(&shown), Vec::<String>::new());
    assert!(shown.contains("REDACTED-1") && shown.contains("REDACTED-2"), "{shown}");
}

/// Hosts of code find a file by its path in the project, and a finding by its fingerprint.
#[test]
fn sarif_without_names_keeps_the_paths_of_the_project_and_its_fingerprints() {
    let (Some(one), Some(other)) = (Person::new("home"), Person::new("elsewhere/mrs-smith-17")) else {
        return;
    };
    let log = |person: &Person, path: &str| {
        let text = person.audit("--format sarif", path);
        (serde_json::from_str::<Value>(&text).unwrap(), text)
    };
    let is_found = |log: &Value, uri: &str, base: &str| {
        let results = log["runs"][0]["results"].as_array().unwrap();
        let locations = results.iter().filter_map(|result| result["relatedLocations"].as_array()).flatten();
        let mut artifacts = locations.map(|location| &location["physicalLocation"]["artifactLocation"]);
        artifacts.any(|artifact| artifact["uri"] == uri && artifact["uriBaseId"] == base)
    };
    let (in_project, text) = log(&one, OWN);
    let count = text.matches("mrs-smith-17").count();
    assert!(count > 0 && count == text.matches(OWN).count(), "{text}");
    for secret in [&one.home, HOST, PASSWORD, TOKEN] {
        assert!(!text.contains(secret), "{secret}");
    }
    assert!(is_found(&in_project, OWN, "%SRCROOT%"), "{text}");
    let [(at_one, text), (at_other, _)] =
        [&one, &other].map(|person| log(person, &format!("{}/notes.txt", person.home)));
    assert!(is_found(&at_one, "notes.txt", "%HOME%"), "{text}");
    let prints = |log: &Value| {
        let results = log["runs"][0]["results"].as_array().unwrap().iter();
        let about_home = results.filter(|result| result.to_string().contains("%HOME%"));
        let mut prints: Vec<_> = about_home.map(|result| result["partialFingerprints"].to_string()).collect();
        prints.sort();
        prints
    };
    assert!(!prints(&at_one).is_empty());
    assert_eq!(prints(&at_one), prints(&at_other), "in another home directory");
}

#[test]
fn a_trace_leaks_nothing_where_it_is_asked_not_to() {
    let Some(person) = Person::new("home") else { return };
    let command = person.reader(&person.log());
    for (options, leaks) in [("", 5), ("--redact", 0)] {
        let kept = person.run(&format!("trace {options} -o t.events -- {command}"));
        assert_eq!(kept.status.code(), Some(0), "{kept:?}");
        let audit = person.run("audit --no-config --redact=never --from t.events --format json");
        let text = String::from_utf8(audit.stdout)
            .unwrap()
            .replace(&format!("{}/project/t.events", person.home), "");
        assert_eq!(person.leaks(&text).len(), leaks, "{options}: {:?}", person.leaks(&text));
        assert_eq!(text.contains("\"redacted\""), leaks == 0);
        assert!(text.contains(".log") && text.contains("R03"), "the findings are there: {text}");
    }
}

#[test]
fn a_report_of_a_record_leaks_nothing() {
    let Some(person) = Person::new("home") else { return };
    let bench = format!("bench open-close --methods native:open --dir {} --counts-only", person.home);
    assert_eq!(person.run(&format!("{bench} -o {HOST}.json")).status.code(), Some(0));
    let kept = fs::read_to_string(format!("{}/project/{HOST}.json", person.home)).unwrap();
    assert!(kept.contains(&person.home), "at home it stays whole");
    for words in [
        format!("report {HOST}.json"),
        format!("report {HOST}.json --before {HOST}.json --format md"),
        format!("export {HOST}.json --format markdown"),
        format!("export {HOST}.json --format csv --redact"),
    ] {
        let output = person.run(&words);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(person.leaks(&text), Vec::<String>::new(), "{words}");
    }
    person.run(&format!("report {HOST}.json -o page.html"));
    let shown = String::from_utf8(person.run("show page.html --format json").stdout).unwrap();
    assert!(shown.contains("\"experiments\""), "{shown}");
    assert_eq!(person.leaks(&shown), Vec::<String>::new(), "the record inside");
    assert_eq!(person.run(&format!("{bench} --redact -o r.json")).status.code(), Some(0));
    let redacted = fs::read_to_string(format!("{}/project/r.json", person.home)).unwrap();
    assert_eq!(person.leaks(&redacted), Vec::<String>::new(), "asked for");
}

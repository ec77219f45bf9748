//! The steps of the GitHub action, in the order of action.yml, against a stand-in for the REST API and
//! a stand-in for `fathom ci` that keeps its contract. Needs python3 and curl, as a runner does.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const STAND_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/action/stand_in.py");

/// What `fathom ci` writes here: everything that JSON, a shell or a locale could trip over.
const HOSTILE: &str =
    "<!-- fathom ci -->\n| `a\"b\\n` | $(touch /tmp/x) `id` | é漢 \u{1f600} \t\u{7} |\n'; rm -rf /";

/// A runner: its folder, the API it talks to and what that was asked.
struct Runner {
    folder: tempfile::TempDir,
    server: Child,
    api: String,
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Runner {
    fn new(behavior: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut python = Command::new("python3");
        python.arg(STAND_IN).arg(folder.path().join("requests")).arg(behavior);
        let mut server = python.stdout(Stdio::piped()).spawn().expect("python3 is needed");
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { folder, server, api: format!("http://127.0.0.1:{}", port.trim()) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A tarball with a `fathom` in it that writes this Markdown and ends with this code.
    fn tarball(&self, markdown: &str, code: i32) -> PathBuf {
        let bin = self.path("fathom-0.0.0/bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(self.path("markdown"), markdown).unwrap();
        let program = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && echo fathom 0.0.0 && exit 0\necho \"$*\" >{0}/arguments\n\
             while [ $# -gt 0 ]; do [ \"$1\" != --markdown ] || cp {0}/markdown \"$2\"; shift; done\nexit {code}\n",
            self.folder.path().display()
        );
        std::fs::write(bin.join("fathom"), program).unwrap();
        std::fs::set_permissions(bin.join("fathom"), PermissionsExt::from_mode(0o755)).unwrap();
        let file = self.path("fathom.tar.gz");
        let mut tar = Command::new("tar");
        tar.arg("-czf").arg(&file).arg("-C").arg(self.folder.path()).arg("fathom-0.0.0");
        assert!(tar.status().unwrap().success());
        file
    }

    /// A step's script, with the environment of a runner and these variables.
    fn step(&self, script: &str, arguments: &[&Path], variables: &[(&str, &str)]) -> Output {
        let mut sh = Command::new("sh");
        sh.arg(Path::new(ROOT).join("ci/action").join(script)).args(arguments);
        sh.env("RUNNER_TEMP", self.folder.path()).env("GITHUB_OUTPUT", self.path("output"));
        sh.env("GITHUB_PATH", self.path("path")).env("GITHUB_STEP_SUMMARY", self.path("summary"));
        sh.env("GITHUB_API_URL", &self.api).env("GITHUB_REPOSITORY", "o/r").env("GITHUB_TOKEN", "s3cret");
        sh.env("COMMENT_AUTHOR", "github-actions[bot]").env("no_proxy", "*");
        sh.envs(variables.iter().copied()).output().unwrap()
    }

    /// What steps put out, by name; the last of a name counts.
    fn outputs(&self) -> BTreeMap<String, String> {
        let text = std::fs::read_to_string(self.path("output")).unwrap();
        text.lines().filter_map(|line| line.split_once('=')).map(|(a, b)| (a.into(), b.into())).collect()
    }

    /// Installs this tarball and compares; what the comment's step gets.
    fn compared(&self, tarball: &Path) -> PathBuf {
        let tarball = tarball.to_str().unwrap();
        let installed = self.step("install.sh", &[], &[("FATHOM_TARBALL", tarball)]);
        assert!(installed.status.success(), "{installed:?}");
        let fathom = self.outputs()["fathom"].clone();
        let variables = [
            ("FATHOM", fathom.as_str()),
            ("FATHOM_BASE", "main"),
            ("FATHOM_HEAD", "topic"),
            ("FATHOM_ARGUMENTS", "--fail-on new-findings"),
            ("PULL_REQUEST", "12"),
        ];
        let run = self.step("run.sh", &[], &variables);
        assert!(run.status.success(), "{run:?}");
        PathBuf::from(&self.outputs()["directory"])
    }

    /// What the API was asked, one value per request.
    fn requests(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(self.path("requests")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Methods and paths of the requests.
    fn asked(&self) -> Vec<String> {
        let words = |request: &serde_json::Value| {
            format!("{} {}", request["method"].as_str().unwrap(), request["path"].as_str().unwrap())
        };
        self.requests().iter().map(words).collect()
    }

    /// A directory with a comment, as an artifact has it.
    fn artifact(&self, markdown: &str, number: &str) -> PathBuf {
        let folder = self.path("artifact");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("comment.md"), markdown).unwrap();
        std::fs::write(folder.join("pull-request"), number).unwrap();
        folder
    }

    /// Posts an artifact, which must fail in words.
    fn refusal(&self, directory: &Path, variables: &[(&str, &str)]) -> String {
        let ended = self.step("comment.sh", &[directory], variables);
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        String::from_utf8(ended.stderr).unwrap()
    }
}

const LIST: &str = "/repos/o/r/issues/12/comments";

#[test]
fn the_first_run_posts_and_the_second_updates() {
    let runner = Runner::new("");
    let directory = runner.compared(&runner.tarball(HOSTILE, 1));
    assert_eq!(runner.outputs()["exit-code"], "1");
    let arguments = std::fs::read_to_string(runner.path("arguments")).unwrap();
    assert!(arguments.starts_with("ci --base main --head topic --markdown "), "{arguments}");
    assert!(arguments.trim().ends_with("--fail-on new-findings"), "{arguments}");
    for _ in 0..2 {
        let posted = runner.step("comment.sh", &[&directory], &[]);
        assert!(posted.status.success(), "{posted:?}");
    }
    let get = format!("GET {LIST}?per_page=100&page=1");
    let expected =
        [get.clone(), format!("POST {LIST}"), get, "PATCH /repos/o/r/issues/comments/41".to_owned()];
    assert_eq!(runner.asked(), expected);
    for request in runner.requests() {
        assert_eq!(request["authorization"], "Bearer s3cret");
        if request["method"] != "GET" {
            assert_eq!(request["body"].as_str().unwrap().trim_end(), HOSTILE);
            assert_eq!(request["type"], "application/json");
        }
    }
}

#[test]
fn a_run_without_a_result_says_so_in_the_comment_and_is_never_good() {
    for (code, expected) in [(2, "2"), (0, "2"), (3, "3")] {
        let runner = Runner::new("");
        let directory = runner.compared(&runner.tarball("", code));
        assert_eq!(runner.outputs()["exit-code"], expected);
        let comment = std::fs::read_to_string(directory.join("comment.md")).unwrap();
        assert!(comment.contains("<!-- fathom ci -->") && comment.contains("wrote no result"), "{comment}");
    }
}

#[test]
fn the_exit_codes_of_the_contract_come_out() {
    for code in [0, 1, 3] {
        let runner = Runner::new("");
        runner.compared(&runner.tarball(HOSTILE, code));
        assert_eq!(runner.outputs()["exit-code"], code.to_string());
    }
}

#[test]
fn a_comment_is_found_on_a_later_page() {
    let runner = Runner::new("crowded");
    let directory = runner.artifact("text", "12");
    for _ in 0..2 {
        assert!(runner.step("comment.sh", &[&directory], &[]).status.success());
    }
    let asked = runner.asked();
    assert_eq!(asked[3], format!("POST {LIST}"), "three pages were looked through: {asked:?}");
    assert_eq!(asked.last().unwrap(), "PATCH /repos/o/r/issues/comments/41");
}

#[test]
fn answers_that_are_cut_broken_or_refused_end_in_words() {
    let cases = [
        ("truncated", "did not come whole"),
        ("broken", "no list of comments"),
        ("refused", "refused (403): Resource not accessible by integration. Does the token have"),
    ];
    for (behavior, words) in cases {
        let runner = Runner::new(behavior);
        let said = runner.refusal(&runner.artifact("text", "12"), &[]);
        assert!(said.contains(words), "{behavior}: {said}");
        assert!(!said.contains("s3cret"), "{said}");
    }
    let runner = Runner::new("");
    let said = runner.refusal(&runner.artifact("text", "12"), &[("GITHUB_API_URL", "http://127.0.0.1:1")]);
    assert!(said.contains("did not come whole"), "{said}");
    let said = runner.refusal(&runner.artifact("text", "13"), &[]);
    assert!(said.contains("HTTP 404: Not Found"), "{said}");
}

#[test]
fn a_forks_artifact_is_held_against_the_pull_request() {
    let runner = Runner::new("");
    let directory = runner.artifact("| 1 |", "12\n");
    let said = runner.refusal(&directory, &[("HEAD_SHA", "def")]);
    assert!(said.contains("is at abc, not at def"), "{said}");
    assert!(runner.asked().iter().all(|asked| asked.starts_with("GET ")), "nothing was written");
    let posted = runner.step("comment.sh", &[&directory], &[("HEAD_SHA", "abc")]);
    assert!(posted.status.success(), "{posted:?}");
    let body = runner.requests().last().unwrap()["body"].as_str().unwrap().to_owned();
    assert!(body.starts_with("<!-- fathom ci -->\n*Written by the run of a fork's code"), "{body}");
    for number in ["12/../13", "", "12 13", "$(id)"] {
        let said = runner.refusal(&runner.artifact("text", number), &[("HEAD_SHA", "abc")]);
        assert!(said.contains("is not a number"), "{number}: {said}");
    }
}

#[test]
fn a_comment_that_is_too_long_is_cut_and_says_so() {
    let runner = Runner::new("");
    let long = format!("```\n{}", "| a row |\n".repeat(20_000));
    assert!(runner.step("comment.sh", &[&runner.artifact(&long, "12")], &[]).status.success());
    let body = runner.requests().last().unwrap()["body"].as_str().unwrap().to_owned();
    assert!(body.chars().count() < 65_536 && body.contains("**Cut here**"), "{}", body.len());
    assert!(body.contains("| a row |\n```\n"), "the block is closed");
}

#[test]
fn a_tarball_is_installed_only_with_its_checksum() {
    let runner = Runner::new("");
    let tarball = runner.tarball(HOSTILE, 0);
    let tarball = tarball.to_str().unwrap();
    let wrong = runner.step("install.sh", &[], &[("FATHOM_TARBALL", tarball), ("FATHOM_SHA256", "00")]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains(", not 00"), "{wrong:?}");
    let absent = runner.step("install.sh", &[], &[("FATHOM_TARBALL", "/nonexistent")]);
    assert!(String::from_utf8_lossy(&absent.stderr).contains("there is no file /nonexistent"), "{absent:?}");
    let nothing = runner.step("install.sh", &[], &[]);
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("Give the action a version or a tarball"));
    assert!(!runner.path("output").exists(), "nothing was installed");
}

#[test]
fn a_release_is_downloaded_and_compared_with_its_checksum() {
    let runner = Runner::new("");
    let tarball = runner.tarball(HOSTILE, 0);
    let name = format!("fathom-0.0.0-{}-unknown-linux-musl.tar.xz", std::env::consts::ARCH);
    let release = runner.path("server/o/fathom/releases/download/v0.0.0");
    std::fs::create_dir_all(&release).unwrap();
    std::fs::copy(&tarball, release.join(&name)).unwrap();
    let server = format!("file://{}", runner.path("server").display());
    let variables = [
        ("FATHOM_VERSION", "0.0.0"),
        ("FATHOM_REPOSITORY", "o/fathom"),
        ("GITHUB_SERVER_URL", server.as_str()),
    ];
    let without = runner.step("install.sh", &[], &variables);
    assert!(
        String::from_utf8_lossy(&without.stderr).contains(&format!("no {name}.sha256 at")),
        "{without:?}"
    );
    let sum = Command::new("sha256sum").arg(&tarball).output().unwrap().stdout;
    std::fs::write(release.join(format!("{name}.sha256")), sum).unwrap();
    let installed = runner.step("install.sh", &[], &variables);
    assert!(installed.status.success(), "{installed:?}");
    assert!(Path::new(&runner.outputs()["fathom"]).is_file());
    std::fs::write(release.join(format!("{name}.sha256")), "11  x\n").unwrap();
    let changed = runner.step("install.sh", &[], &variables);
    assert!(String::from_utf8_lossy(&changed.stderr).contains(", not 11"), "{changed:?}");
}

#[test]
fn the_steps_of_the_action_are_the_scripts_that_are_tested() {
    for (action, scripts) in [
        ("action.yml", &["install.sh", "run.sh", "comment.sh"][..]),
        ("ci/action/comment/action.yml", &["comment.sh"]),
    ] {
        let text = std::fs::read_to_string(Path::new(ROOT).join(action)).unwrap();
        for script in scripts {
            assert!(text.contains(&format!("/{script}\"")), "{action} runs {script}");
        }
    }
}

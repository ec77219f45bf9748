//! The GitHub action from end to end: its own steps as action.yml has them, with this `fathom` in a tarball,
//! on a clone of a bare repository on disk, and a stand-in for the REST API that keeps what it was asked.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, workspace};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Output, Stdio};

/// Reads YAML, which nothing of Fathom does.
const YAML_TO_JSON: &str = "puts JSON.generate(YAML.load_file(ARGV[0]))";
const COMMENTS: &str = "/repos/o/r/issues/12/comments";

/// What expressions of the action refer to, by their names.
type Values = BTreeMap<String, String>;

/// A runner, the bare repository whose pull request 12 it looks at, and the API.
struct Runner {
    sandbox: Sandbox,
    server: Child,
    api: String,
    action: Value,
    runs: u32,
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _gone = self.server.kill();
        let _reaped = self.server.wait();
    }
}

/// What a run of the action did.
struct Ran {
    /// The exit code of the step that failed, or 0.
    code: i32,
    outputs: Values,
    said: String,
}

impl Runner {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let mut python = sandbox.plain_command("python3");
        python.arg(workspace().join("xtask/tests/action/stand_in.py")).arg(sandbox.file("requests"));
        let mut server = python.stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        let api = format!("http://127.0.0.1:{}", port.trim());
        let mut ruby = sandbox.command("ruby");
        ruby.args(["-ryaml", "-rjson", "-e", YAML_TO_JSON]).arg(workspace().join("action.yml"));
        let action = serde_json::from_slice(&ruby.output().unwrap().stdout).unwrap();
        let runner = Self { sandbox, server, api, action, runs: 0 };
        let program = program();
        runner.git(&format!(
            "mkdir -p fathom-0/bin
             ln -s {program} fathom-0/bin/fathom
             tar -chf fathom.tar fathom-0
             git init -q --bare origin.git
             git clone -q origin.git project 2> cloned
             cd project
             printf 'dd if=words.txt of=out\\n:\\n' > run.sh
             echo words > words.txt
             printf '[[command]]\\nname = \"words\"\\nrun = \"sh run.sh\"\\nassert = [\"sync == 0\"]\\n' > .fathom.toml
             git add -A
             git commit -qm before
             git push -q origin HEAD:main
             git checkout -q -b topic"
        ));
        runner
    }

    fn git(&self, script: &str) -> String {
        let git = "git() { command git -c user.name=me -c user.email=me@example.org -c init.defaultBranch=main \"$@\"; }";
        let done = self.sandbox.shell(&format!("set -e\n{git}\n{script}"));
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// A commit of the pull request: what run.sh is from now on.
    fn push(&self, script: &str) {
        self.git(&format!(
            "cd project\nprintf '{script}' > run.sh\ngit commit -qam change\ngit push -q origin HEAD:topic"
        ));
    }

    /// Has the action run for the pull request, in a checkout of its own as a runner makes it.
    fn run(&mut self, inputs: &[(&str, &str)]) -> Ran {
        self.runs += 1;
        let folder = format!("runner-{}", self.runs);
        let checkout = self.sandbox.file(&format!("{folder}/checkout"));
        self.git(&format!(
            "mkdir {folder}\ngit clone -q origin.git {folder}/checkout\ncd {folder}/checkout\n\
             git checkout -q --detach origin/topic"
        ));
        let commit = |name: &str| self.git(&format!("git -C origin.git rev-parse {name}"));
        let tarball = self.sandbox.file("fathom.tar").display().to_string();
        let mut values: Values = [
            ("github.event.pull_request.number", "12"),
            ("github.event.pull_request.base.sha", &commit("main")),
            ("github.event.pull_request.head.sha", &commit("topic")),
            ("github.token", "s3cret"),
            ("inputs.tarball", &tarball),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
        values.extend(inputs.iter().map(|(name, value)| (format!("inputs.{name}"), (*value).to_owned())));
        for (name, input) in self.action["inputs"].as_object().unwrap() {
            let default = evaluated(input["default"].as_str().unwrap_or_default(), &values);
            values.entry(format!("inputs.{name}")).or_insert(default);
        }
        let mut said = String::new();
        let mut code = 0;
        for step in self.action["runs"]["steps"].as_array().unwrap() {
            if step["if"].as_str().is_some_and(|condition| !is_true(&evaluated(condition, &values))) {
                continue;
            }
            let output = self.step(step, &values, &folder, &checkout);
            said += &String::from_utf8_lossy(&output.stdout);
            said += &String::from_utf8_lossy(&output.stderr);
            code = output.status.code().unwrap();
            if code != 0 {
                break;
            }
            let Some(id) = step["id"].as_str() else { continue };
            let put = fs::read_to_string(self.sandbox.file(&format!("{folder}/output"))).unwrap();
            let put = put.lines().filter_map(|line| line.split_once('='));
            values.extend(put.map(|(name, value)| (format!("steps.{id}.outputs.{name}"), value.to_owned())));
        }
        let outputs = self.action["outputs"].as_object().unwrap().iter();
        let outputs = outputs
            .map(|(name, output)| (name.clone(), evaluated(output["value"].as_str().unwrap(), &values)));
        Ran { code, outputs: outputs.collect(), said }
    }

    fn step(&self, step: &Value, values: &Values, folder: &str, checkout: &std::path::Path) -> Output {
        let runner = |name: &str| self.sandbox.file(&format!("{folder}/{name}"));
        fs::write(runner("script"), step["run"].as_str().unwrap()).unwrap();
        fs::write(runner("output"), "").unwrap();
        assert_eq!(step["shell"], "sh");
        let mut sh = self.sandbox.plain_command("sh");
        sh.arg("-e").arg(runner("script")).current_dir(checkout);
        sh.env("GITHUB_ACTION_PATH", workspace()).env("RUNNER_TEMP", runner(""));
        sh.env("GITHUB_OUTPUT", runner("output")).env("GITHUB_PATH", runner("path"));
        sh.env("GITHUB_STEP_SUMMARY", runner("summary")).env("GITHUB_API_URL", &self.api);
        sh.env("GITHUB_REPOSITORY", "o/r").env("no_proxy", "*");
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            sh.env(name, evaluated(value.as_str().unwrap(), values));
        }
        sh.output().unwrap()
    }

    /// What the API was asked: method and path, and what was sent.
    fn requests(&self) -> Vec<(String, String)> {
        let text = fs::read_to_string(self.sandbox.file("requests")).unwrap_or_default();
        let request = |line: &str| {
            let request: Value = serde_json::from_str(line).unwrap();
            assert_eq!(request["authorization"], "Bearer s3cret");
            let word = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
            (format!("{} {}", word("method"), word("path")), word("body"))
        };
        text.lines().map(request).collect()
    }
}

/// A text of the action, with `${{ A || B }}`, `${{ A == 'B' && C }}` and the like replaced.
fn evaluated(text: &str, values: &Values) -> String {
    let Some((before, rest)) = text.split_once("${{") else { return text.to_owned() };
    let (expression, after) = rest.split_once("}}").unwrap();
    let term = |term: &str| {
        let word = |word: &str| match word.trim().strip_prefix('\'') {
            Some(literal) => literal.trim_end_matches('\'').to_owned(),
            None => values.get(word.trim()).cloned().unwrap_or_default(),
        };
        term.split_once("==")
            .map_or_else(|| word(term), |(one, other)| (word(one) == word(other)).to_string())
    };
    let all = |terms: &str| {
        let mut last = String::new();
        for each in terms.split("&&") {
            last = term(each);
            if !is_true(&last) {
                break;
            }
        }
        last
    };
    let value = expression.split("||").map(all).find(|value| is_true(value)).unwrap_or_default();
    format!("{before}{value}{}", evaluated(after, values))
}

fn is_true(value: &str) -> bool {
    !value.is_empty() && value != "false"
}

fn can_run() -> bool {
    has(Capability::Ruby) && has(Capability::Python)
}

#[test]
fn a_pull_request_gets_one_comment_that_follows_it_and_the_check_fails_by_its_budget() {
    if !can_run() {
        return;
    }
    let mut runner = Runner::new();
    runner.push("dd if=words.txt of=out conv=fsync\\n:\\n");
    let refs = "git -C origin.git for-each-ref; git -C origin.git fsck --strict";
    let before = runner.git(refs);
    let first = runner.run(&[]);
    assert_eq!((first.code, first.outputs["exit-code"].as_str()), (1, "1"), "{}", first.said);
    assert!(first.said.contains("failed: words: budget not met: sync == 0"), "{}", first.said);
    let requests = runner.requests();
    let asked: Vec<_> = requests.iter().map(|(asked, _)| asked.as_str()).collect();
    let get = format!("GET {COMMENTS}?per_page=100&page=1");
    let post = format!("POST {COMMENTS}");
    assert_eq!(asked, [get.as_str(), &post]);
    let comment = &requests[1].1;
    assert!(comment.starts_with("<!-- fathom ci -->\n"), "{comment}");
    assert!(
        comment.contains("**+1 fsync per run of words; nothing else changed**")
            && comment.contains("| `fsync` | `{checkout}/out` |"),
        "{comment}"
    );
    assert!(comment.contains("budget NOT MET: sync == 0"), "{comment}");
    let page = std::path::Path::new(&first.outputs["directory"]).join("report.html");
    assert!(fs::read_to_string(page).unwrap().contains("fsync"));
    assert_eq!(runner.git(refs), before, "the repository is only read");

    // The author takes it back: the same comment says so, and the check passes.
    runner.push("dd if=words.txt of=out\\n:\\n:\\n");
    let second = runner.run(&[("arguments", "--fail-on new-findings,more-calls")]);
    assert_eq!((second.code, second.outputs["exit-code"].as_str()), (0, "0"), "{}", second.said);
    let requests = runner.requests();
    assert_eq!(requests[2].0, get);
    assert_eq!(requests[3].0, "PATCH /repos/o/r/issues/comments/41");
    assert!(requests[3].1.contains("**No system call on the file path changed**"), "{}", requests[3].1);
    assert_eq!(requests.len(), 4);
}

#[test]
fn a_check_fails_by_what_fail_on_names_and_a_fork_posts_nothing() {
    if !can_run() {
        return;
    }
    let mut runner = Runner::new();
    runner.push("dd if=words.txt of=out\\ndd if=words.txt of=out\\n:\\n");
    let passed = runner.run(&[("comment", "false")]);
    assert_eq!(passed.code, 0, "a change alone fails nothing: {}", passed.said);
    let failed = runner.run(&[("comment", "false"), ("arguments", "--fail-on more-calls")]);
    assert_eq!((failed.code, failed.outputs["exit-code"].as_str()), (1, "1"), "{}", failed.said);
    assert_eq!(runner.requests(), []);
    // What the second workflow takes: the comment and the number.
    let directory = std::path::Path::new(&failed.outputs["directory"]);
    assert_eq!(fs::read_to_string(directory.join("pull-request")).unwrap(), "12\n");
    assert!(fs::read_to_string(directory.join("comment.md")).unwrap().contains("openat"));
}

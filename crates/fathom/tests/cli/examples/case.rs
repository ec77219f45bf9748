//! What the examples of each command are run on, and how.

use crate::capability::Capability;

/// The examples of one command.
pub(super) struct Case {
    /// The command; empty for `fathom` alone.
    pub(super) command: &'static str,
    /// How many examples there are at the least.
    pub(super) at_least: usize,
    /// A script that makes what they speak of; SOURCE is the source tree.
    pub(super) prepare: &'static str,
    /// The same example in less time.
    pub(super) shorten: fn(&str) -> String,
    /// Words of an example, and what it then needs of the machine.
    pub(super) needs: &'static [(&'static str, Capability)],
    /// The exit codes that are right.
    pub(super) codes: &'static [i32],
}

const PLAIN: Case =
    Case { command: "", at_least: 1, prepare: "", shorten: str::to_owned, needs: &[], codes: &[0] };

/// A record that nobody named a file for.
const KEPT: &str = "fathom bench open-close --methods native:open,native:openat --time 0.1\n";

/// Of every command but those that `examples.rs` names.
pub(super) const CASES: [Case; 24] = [
    // A program may be wasteful.
    Case { at_least: 3, shorten: short_bench, codes: &[0, 1, 3], ..PLAIN },
    Case {
        command: "bench",
        at_least: 9,
        prepare: "\
seq 2000 | sed 's/$/ WARN of a line/' > app.log
mkdir src
seq 100 > src/small
seq 5000 > src/large
printf 'package ways\n\nimport \"os\"\n\nfunc Read(path string) ([]byte, error) { return os.ReadFile(path) }\n' > ways.go
printf 'def read(path):\n    return open(path, \"rb\").read()\n' > ways.py
",
        needs: &[("ways.go", Capability::Go), ("ways.py", Capability::Python), ("--ranks", Capability::Mpi)],
        shorten: short_bench,
        ..PLAIN
    },
    Case {
        command: "ci",
        at_least: 5,
        prepare: "\
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
printf '[[command]]\\nname = \"list\"\\nrun = \"cat a.txt\"\\n' > .fathom.toml
git init -q .
git add a.txt
git commit -qm one
git commit -qm two --allow-empty
for side in before after; do rm -f $side.json; mkdir $side; cp a.txt $side; fathom trace -o $side.events -- cat a.txt; done
",
        ..PLAIN
    },
    Case {
        command: "bisect",
        at_least: 3,
        prepare: "\
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q .
echo ': < a.txt' > app.sh
git add a.txt b.txt app.sh
git commit -qm 1
for number in 2 3 4 5; do echo ': < b.txt' >> app.sh; git commit -qam $number; done
",
        ..PLAIN
    },
    Case {
        command: "track",
        at_least: 7,
        prepare: "\
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
printf '[[command]]\\nname = \"list\"\\nrun = \"cat a.txt\"\\n' > .fathom.toml
git init -q .
git add a.txt
git commit -qm one
git commit -qm two --allow-empty
fathom trace -o app.events -- cat a.txt
",
        ..PLAIN
    },
    Case {
        command: "gate",
        at_least: 3,
        prepare: "\
mkdir ci build
cp driver.pl build/my-driver
sed 's/^driver = .*//' SOURCE/docs/examples/gate/fathom-budgets.toml > ci/budgets.toml
printf '[[budgets]]\\nname = \"open\"\\noperation = \"open-close\"\\nmethod = \"native:open\"\\nsize = \"4 KiB\"\\ncalls = 2\\n' > fathom-budgets.toml
",
        shorten: |example| format!("gate --time 2{}", &example["gate".len()..]),
        needs: &[("my-driver", Capability::Perl)],
        codes: &[0, 3],
    },
    Case {
        command: "verify",
        at_least: 5,
        prepare: "cp SOURCE/docs/experiments/records/verify.json record.json\n",
        shorten: short_verify,
        needs: &[("verify", Capability::Go)],
        codes: &[0, 1, 3],
    },
    Case {
        command: "compare",
        at_least: 10,
        prepare: "for name in old new; do cp driver.pl driver-$name; done\n",
        shorten: short_compare,
        needs: &[
            ("java@", Capability::Java),
            ("java@", Capability::Jdk25),
            ("jdk.json", Capability::Java),
            ("jdk.json", Capability::Jdk25),
            ("--drivers", Capability::Perl),
            ("/usr/bin/python3", Capability::SystemPython),
        ],
        // Gates may fail, or have no time to judge.
        codes: &[0, 1, 3],
    },
    Case { command: "count", at_least: 5, ..PLAIN },
    // A program may be wasteful.
    Case { command: "audit", at_least: 4, codes: &[0, 1, 3], ..PLAIN },
    Case {
        command: "audit diff",
        at_least: 3,
        prepare: "\
for name in before after; do
  fathom trace -o $name.events -- ls -l > out.txt
  fathom audit --from $name.events --format json -o $name.json
done
",
        codes: &[0, 1],
        ..PLAIN
    },
    Case { command: "trace", at_least: 2, ..PLAIN },
    // 4: the first process may make no call meanwhile.
    Case {
        command: "top",
        at_least: 4,
        needs: &[("top", Capability::Ring)],
        shorten: |example| match example.replace("--pid 4242", "--pid 1").replace("--seconds 60", "--seconds 1") {
            endless if !endless.contains("--seconds") => endless + " --seconds 1",
            short => short,
        },
        codes: &[0, 4],
        ..PLAIN
    },
    // 4: nothing of what is below the folder is asked for.
    // Of a command that makes too few of the calls there is no answer.
    Case {
        command: "what-if",
        at_least: 8,
        codes: &[0, 3, 4],
        shorten: |example| example.replace("--time 20", "--time 1"),
        ..PLAIN
    },
    Case {
        command: "prices",
        at_least: 6,
        shorten: |example| example.replace("--quick", "--seconds 1").replace("--seconds 20", "--seconds 1"),
        ..PLAIN
    },
    Case {
        command: "flame-graph",
        at_least: 3,
        shorten: short_bench,
        needs: &[("hash.json", Capability::Go), ("hash.json", Capability::Perf)],
        ..PLAIN
    },
    Case {
        command: "export",
        at_least: 8,
        prepare: "fathom trace -o app.events -- cat a.txt > out.txt\n",
        ..PLAIN
    },
    Case {
        command: "report",
        at_least: 3,
        prepare: "\
fathom export record.json --format parquet --into data
fathom audit --format json -o audit.json -- ls -l || test $? = 1
fathom bench open-close --methods native:open,native:openat --time 0.1
",
        ..PLAIN
    },
    Case { command: "show", at_least: 5, prepare: KEPT, ..PLAIN },
    Case { command: "list", at_least: 4, ..PLAIN },
    Case { command: "doctor", at_least: 2, ..PLAIN },
    Case { command: "man", at_least: 4, ..PLAIN },
    Case { command: "completions", at_least: 3, ..PLAIN },
    Case {
        command: "driver",
        at_least: 3,
        prepare: "cp driver.pl my-driver\n",
        needs: &[("my-driver", Capability::Perl)],
        ..PLAIN
    },
];

/// `bench` in a fifth of a second; other commands as they are. Every method of every driver takes a
/// minute of a CPU where they are many; two drivers stand for all.
fn short_bench(example: &str) -> String {
    if !example.starts_with("bench") {
        return example.to_owned();
    }
    // Two ranks in memory say as much of the words as four, whose thousands of files on a disk took a third
    // of the CPU time of all examples.
    let fewer = example.replace("--ranks 4", "--ranks 2 --dir /dev/shm");
    let mut words: Vec<&str> = fewer.split_whitespace().collect();
    if ["bench search", "bench read-whole"].iter().any(|many| example.starts_with(many)) {
        words.extend(["--methods", "native:*,node:*"]);
    }
    if let Some(at) = words.iter().position(|word| *word == "--time") {
        words.drain(at..at + 2);
    }
    words.retain(|word| *word != "--quick");
    words.extend(["--time", "0.2"]);
    if !example.contains("--commands") {
        words.push("--quick");
    }
    words.join(" ")
}

/// Less time for each comparison. All claims take minutes, so those of two entries stand for them.
fn short_verify(example: &str) -> String {
    match example {
        "verify" => "verify go-internals places --quick --time 0.2".to_owned(),
        judging if judging.contains("--from") => judging.to_owned(),
        document if document.contains("--of") => {
            format!("{document} --claim o-direct-costs-an-open-nothing --time 0.2")
        }
        measuring => format!("verify --time 0.2{}", &measuring["verify".len()..]),
    }
}

fn short_compare(example: &str) -> String {
    let example = example.replace(" --time 20", "");
    if ["--toolchain", "--drivers"].iter().any(|form| example.contains(form)) {
        example + " --counts-only"
    } else if example.contains("--commands") {
        example + " --time 0.1"
    } else {
        example
    }
}

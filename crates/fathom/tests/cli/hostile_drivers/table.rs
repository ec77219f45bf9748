//! The table: what a driver does instead of its duty, and what Fathom says of it.

/// How Fathom meets the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It is measured.
    Bench,
    /// It is checked for conformance.
    Check,
    /// It is measured, and a second after it began the user has had enough: a driver may be silent for
    /// minutes, as one that works on something large is.
    Interrupted,
}

/// One such driver.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hostile {
    /// What it does.
    pub(super) what: &'static str,
    /// Functions of the honest driver, redefined.
    pub(super) does: &'static str,
    pub(super) way: Way,
    /// Fathom's exit code: one of these, where it is a matter of time what Fathom sees first.
    pub(super) codes: &'static [i32],
    /// Words that Fathom says of it.
    pub(super) says: &'static str,
}

const fn bench(what: &'static str, does: &'static str, codes: &'static [i32], says: &'static str) -> Hostile {
    Hostile { what, does, way: Way::Bench, codes, says }
}

const fn check(what: &'static str, does: &'static str, says: &'static str) -> Hostile {
    Hostile { what, does, way: Way::Check, codes: &[1], says }
}

const fn interrupted(what: &'static str, does: &'static str) -> Hostile {
    Hostile { what, does, way: Way::Interrupted, codes: &[130], says: "" }
}

/// All of them.
pub(super) const HOSTILE: [Hostile; 43] = [
    // First, since it is waited for longest.
    bench("never describes itself", "describe() { sleep 1000; }", &[2], "did not end within 60 s"),
    interrupted("does not describe itself yet", "describe() { : >begun; sleep 1000; }"),
    // What it says of itself.
    bench("describes nothing", "describe() { :; }", &[2], "did not print a description"),
    bench(
        "fails to describe itself",
        "describe() { echo no luck >&2; exit 3; }",
        &[2],
        "failed (exit status: 3) no luck",
    ),
    bench("is killed while it describes itself", "describe() { kill -9 $$; }", &[2], "failed (signal: 9"),
    bench("describes itself without end", "describe() { yes; }", &[2], "says more than"),
    bench(
        "describes itself in one line without end",
        "describe() { tr '\\0' x </dev/zero; }",
        &[2],
        "says more than",
    ),
    bench(
        "describes itself in NUL bytes",
        "describe() { head -c 100000 /dev/zero; }",
        &[2],
        "did not print a description",
    ),
    bench(
        "describes itself in bytes that are no text",
        "describe() { printf '\\377\\376{\\n'; }",
        &[2],
        "did not print a description",
    ),
    bench(
        "describes itself 100,000 brackets deep",
        "describe() { head -c 100000 /dev/zero | tr '\\0' '['; }",
        &[2],
        "did not print a description",
    ),
    bench(
        "claims 10 million methods",
        "describe() { printf '{\"protocol\": 1, \"driver\": \"bad\", \"language\": \"sh\", \"runtime\": \"sh\", \"methods\": ['; yes '{\"name\": \"m\", \"operations\": [\"open-close\"]},' | head -n 10000000; printf ']}'; }",
        &[2],
        "says more than",
    ),
    bench(
        "speaks another protocol",
        "describe() { printf '{\"protocol\": 4294967295, \"driver\": \"bad\", \"language\": \"x\", \"runtime\": \"x\", \"methods\": []}'; }",
        &[2],
        "speaks protocol 4294967295",
    ),
    bench(
        "names itself and its methods with control characters",
        "describe() { printf '{\"protocol\": 1, \"driver\": \"bad\", \"language\": \"\\\\u001b[31m\\\\u202e\", \"runtime\": \"\\\\u0000\", \"methods\": [{\"name\": \"open\", \"operations\": [\"open-close\"], \"does\": \"\\\\u001b]0;x\\\\u0007\", \"unavailable\": \"\\\\u001b[2J\\\\u202e not here\"}]}'; }",
        &[4],
        "not here",
    ),
    // How it ends.
    bench("ends at once", "ready() { exit 0; }", &[4], "exited with 0 while starting"),
    bench(
        "ends with 3",
        "ready() { echo too bad >&2; exit 3; }",
        &[4],
        "exited with 3 while starting: too bad",
    ),
    bench(
        "is killed in the middle of an answer",
        "batch() { printf 'done ops='; kill -9 $$; }",
        &[4],
        "was killed by SIGKILL",
    ),
    bench(
        "ends in the middle of an answer",
        "batch() { printf 'done ops=1 ns=5'; exit 0; }",
        &[4],
        "exited with 0",
    ),
    bench("ends after each answer", "batch() { timed \"$1\"; done_of \"$1\"; exit 0; }", &[2, 4], "bad"),
    bench("closes its input", "ready() { echo ready; exec </dev/null; exec sleep 60; }", &[4], "bad driver"),
    bench(
        "floods its standard error and fails",
        "ready() { yes noise | head -c 30000000 >&2; exit 5; }",
        &[4],
        "exited with 5",
    ),
    // What it answers.
    bench("answers twice", "batch() { timed \"$1\"; done_of \"$1\"; done_of \"$1\"; }", &[2, 4], "bad:open"),
    bench(
        "answers before it is asked",
        "ready() { echo ready; echo 'done ops=1 ns=1 bytes=0 digest=0'; }",
        &[4],
        "broke the protocol",
    ),
    bench("answers in a line without end", "batch() { tr '\\0' x </dev/zero; }", &[2, 4], "more than 1 MiB"),
    bench("answers in lines without end", "batch() { yes; }", &[2, 4], "broke the protocol"),
    bench(
        "answers more time than there was",
        "done_of() { echo \"done ops=$1 ns=99999999999999 bytes=0 digest=0\"; }",
        &[2, 4],
        "cannot be",
    ),
    bench("answers something else", "batch() { echo hello; }", &[4], "broke the protocol"),
    bench(
        "answers that more was done than asked for",
        "done_of() { echo 'done ops=4000000000 ns=90000 bytes=0 digest=0'; }",
        &[4],
        "bad",
    ),
    bench(
        "answers NaN",
        "done_of() { echo \"done ops=$1 ns=NaN bytes=0 digest=0\"; }",
        &[4],
        "broke the protocol",
    ),
    bench(
        "answers a negative time",
        "done_of() { echo \"done ops=$1 ns=-5 bytes=0 digest=0\"; }",
        &[4],
        "broke the protocol",
    ),
    bench(
        "answers 1e999",
        "done_of() { echo \"done ops=$1 ns=1e999 bytes=0 digest=0\"; }",
        &[4],
        "broke the protocol",
    ),
    bench(
        "answers a number of many digits",
        "done_of() { echo \"done ops=$1 ns=99999999999999999999999999999999 bytes=0 digest=0\"; }",
        &[4],
        "broke the protocol",
    ),
    bench("answers in NUL bytes", "batch() { printf '\\0\\0\\0\\n'; }", &[4], "broke the protocol"),
    bench(
        "answers in bytes that are no text",
        "batch() { printf 'done \\377\\376\\n'; }",
        &[4],
        "broke the protocol",
    ),
    bench(
        "answers with what steers a terminal",
        "batch() { printf '\\033[2J\\342\\200\\256 hello\\n'; }",
        &[4],
        "broke the protocol",
    ),
    bench(
        "delivers data where there is none",
        "done_of() { echo \"done ops=$1 ns=90000 bytes=7 digest=9\"; }",
        &[4],
        "bad",
    ),
    // What it does to the files.
    bench("deletes its data", "ready() { rm -rf \"${file%/*}\"; echo ready; }", &[4], "bad"),
    // How it stays.
    bench("leaves a child that holds its pipes", "ready() { sleep 300 & echo ready; }", &[0], "bad:open"),
    check(
        "closes its output and lives on",
        "ready() { exec >&-; exec sleep 1000; }",
        "closed its standard output",
    ),
    check(
        "ignores SIGTERM and the order to quit",
        "trap '' TERM; quit() { sleep 1000; }",
        "did not answer for 5 s while quitting",
    ),
    interrupted("says nothing", "ready() { sleep 1000; }"),
    interrupted("stops itself", "ready() { kill -STOP $$; }"),
    interrupted(
        "says nothing and ignores every signal",
        "ready() { trap '' INT TERM HUP QUIT; sleep 1000; }",
    ),
    interrupted("answers a word that never ends", "batch() { while :; do sleep 0.1; printf x; done; }"),
];

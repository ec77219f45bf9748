//! `--container` and `--cgroup`: all processes of a container, with the paths that it sees, its numbers of
//! processes and the layers of its files. The container is made by hand, and by an engine where there is one.

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, says};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_mins(1);
/// A prime number of rounds, each of which opens every file once.
const ROUNDS: usize = 23;

/// Moves itself into the control group `$1` and becomes a container on an overlay below `$2`.
const BOX: &str = r#"
set -e
export D="$2"
cd "$2"
mkdir -p upper/data work merged low1/data low2/bin low2/data low2/proc low2/dev low2/old
cp "$(command -v busybox)" low2/bin/busybox
for name in low2/data/lowest low1/data/low upper/data/up; do echo "$name" > "$name"; done
mkfifo upper/go
echo $$ > "$1/cgroup.procs"
exec unshare --mount --pid --fork --kill-child --propagation private /bin/sh -c '
  mount -t overlay overlay -o lowerdir=$D/low1:$D/low2,upperdir=$D/upper,workdir=$D/work merged &&
  mount -t proc proc merged/proc && cd merged && pivot_root . old &&
  /bin/busybox umount -l /old && exec /bin/busybox sh /data/run'
"#;

/// What runs in it: waits, works in processes of its own, waits.
const RUN: &str = "read x < /go
i=0
while [ $i -lt 23 ]; do
  (/bin/busybox cat /data/lowest /data/low /data/up /data/missing > /data/written)
  i=$((i + 1))
done
read x < /go
";

/// A container that waits; it is killed, and its control group removed, when this goes.
struct Container {
    group: PathBuf,
    child: Child,
}

impl Container {
    fn start(sandbox: &Sandbox) -> Option<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let of_two = mounts.lines().find(|line| line.contains(" - cgroup2 "));
        let root = of_two.and_then(|line| line.split(' ').nth(4)).map(PathBuf::from);
        let busybox = Command::new("busybox").arg("true").output().is_ok_and(|done| done.status.success());
        if !has(Capability::Ring) || !busybox || root.is_none() {
            eprintln!("skipped: no ring, no busybox, or no cgroup v2");
            return None;
        }
        let group = root?.join(format!("fathom-test-{}-{}", std::process::id(), unique()));
        if fs::create_dir(&group).is_err() {
            eprintln!("skipped: no control group can be made");
            return None;
        }
        fs::create_dir_all(sandbox.file("low2/data")).unwrap();
        sandbox.write("low2/data/run", RUN);
        sandbox.write("box.sh", BOX);
        let child = Command::new("/bin/sh")
            .arg(sandbox.file("box.sh"))
            .args([&group, sandbox.path()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Self { group, child };
        // It waits when its first process is the shell in it.
        wait_for("the container", || begun.first());
        Some(begun)
    }

    fn members(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.group.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// The shell, once it waits for the word to go.
    fn first(&self) -> Option<u32> {
        let waits = |process: &u32| {
            let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            words == b"/bin/busybox\0sh\0/data/run\0"
                && fs::read_to_string(format!("/proc/{process}/wchan"))
                    .is_ok_and(|at| at == "wait_for_partner")
        };
        self.members().into_iter().find(waits)
    }

    /// Lets the shell go on.
    fn go(&self) {
        // A process that was woken waits again, and for a moment it seems not to.
        let first = wait_for("shell that waits", || self.first());
        fs::write(format!("/proc/{first}/root/go"), "\n").unwrap();
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        for process in self.members() {
            let process = i32::try_from(process).ok().and_then(Pid::from_raw).unwrap();
            let _ = kill_process(process, Signal::KILL);
        }
        let _ = self.child.wait();
        wait_until("the end of the container", || self.members().is_empty());
        fs::remove_dir(&self.group).unwrap();
    }
}

fn unique() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    wait_for(what, || is_so().then_some(()));
}

fn wait_for<T>(what: &str, found: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a program of ours watches: its maps are there when it is ready.
fn wait_for_ring(run: &mut Running<'_>) {
    let of_fathom = |run: &Running<'_>| {
        let links = fs::read_dir(format!("/proc/{}/fd", run.process())).ok()?;
        let links = links.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
        (links.filter(|link| link.to_string_lossy().contains("bpf_link")).count() >= 5).then_some(())
    };
    run.wait_for("programs in the kernel", of_fathom);
    // The processes are listed after that.
    std::thread::sleep(Duration::from_millis(300));
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn calls(audit: &Value, name: &str) -> u64 {
    let calls = audit["calls"].as_array().unwrap().iter().filter(|call| call["call"] == name);
    calls.map(|call| call["count"].as_u64().unwrap()).sum()
}

#[test]
fn a_control_groups_calls_are_those_that_strace_counts() {
    let sandbox = Sandbox::new();
    if !has(Capability::Strace) {
        return;
    }
    let Some(container) = Container::start(&sandbox) else { return };
    let group = container.group.display();
    let words = format!("audit --no-config --tree --cgroup {group} --format json -o box.json");
    let mut run = Running::start(&sandbox, &words);
    wait_for_ring(&mut run);
    let first = container.first().unwrap();
    let mut strace = Command::new("strace")
        .args(["-f", "-y", "-o"])
        .arg(sandbox.file("strace.log"))
        .args(["-p", &first.to_string()])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("strace", || {
        let status = fs::read_to_string(format!("/proc/{first}/status")).unwrap();
        status.lines().any(|line| line.strip_prefix("TracerPid:").is_some_and(|pid| pid.trim() != "0"))
    });
    container.go();
    wait_until("its second wait", || {
        let log = fs::read_to_string(sandbox.file("strace.log")).unwrap_or_default();
        log.matches("exit_group(").count() >= ROUNDS && container.first().is_some()
    });
    container.go();
    assert!(strace.wait().unwrap().success());
    let ended = run.end();
    assert_eq!(ended.code.filter(|code| *code < 2), ended.code, "{}", ended.err);
    let audit = json(&sandbox.file("box.json"));
    assert_eq!(audit["gaps"], Value::Null, "{}", audit["gaps"]);
    // The same calls, by name and by what they are on.
    let log = fs::read_to_string(sandbox.file("strace.log")).unwrap();
    let (returned, log): (Vec<_>, Vec<_>) = log.lines().partition(|line| line.contains(" resumed>"));
    let by_strace = |call: &str| log.iter().filter(|line| line.contains(&format!(" {call}("))).count() as u64;
    for call in ["execve", "dup2", "sendfile", "write"] {
        assert_eq!(calls(&audit, call), by_strace(call), "{call}");
    }
    // What is executed and what is written are words, not files.
    let is_words = |line: &str| line.contains(" execve(") || line.contains(" write(");
    let below = log.iter().filter(|line| line.contains("/data/") && !is_words(line)).count() as u64;
    let directories = audit["tree"]["directories"].as_array().unwrap();
    let data = directories.iter().find(|one| one["directory"] == "/data").unwrap();
    assert!(below > 5 * ROUNDS as u64, "{below}");
    assert_eq!(data["calls"].as_u64().unwrap(), below);
    assert_eq!(data["failed"], ROUNDS, "the file that is missing");
    // Numbers, programs, paths and layers as the container has them.
    let container = &audit["container"];
    let processes = container["processes"].as_array().unwrap();
    let inside: Vec<_> = processes.iter().map(|process| process["inside"].as_u64()).collect();
    // What a clone returns in the container is the child's number there.
    let is_clone = |line: &&&str| line.contains(" clone(") || line.contains(" clone resumed>");
    let made = log.iter().chain(&returned).filter(is_clone).filter_map(|line| line.rsplit_once(" = "));
    let made = made.map(|(_, number)| number.trim());
    let made: Vec<_> = made.map(|number| number.parse::<u64>().ok()).collect();
    assert_eq!(made.len(), ROUNDS);
    assert!(made.iter().chain([&Some(1)]).all(|number| inside.contains(number)), "{made:?} of {inside:?}");
    assert!(processes.len() > ROUNDS, "{processes:?}");
    let files = container["files"].as_array().unwrap();
    let layer = |path: &str| {
        let file = files.iter().find(|file| file["path"] == path).unwrap_or_else(|| panic!("{files:?}"));
        (file["layer"].as_str().unwrap(), file["opens"].as_u64().unwrap())
    };
    let rounds = ROUNDS as u64;
    assert_eq!(layer("/data/lowest"), ("lower 2", rounds));
    assert_eq!(layer("/data/low"), ("lower 1", rounds));
    assert_eq!(layer("/data/up"), ("upper", rounds));
    assert_eq!(layer("/data/written"), ("upper", rounds));
    let layers = container["layers"].as_array().unwrap();
    assert_eq!((layers[0]["layer"].as_str(), layers.len()), (Some("upper"), 3));
    assert!(layers[1]["directory"].as_str().unwrap().ends_with("/low1"), "{layers:?}");
}

/// What traces a process, and whether it is stopped for it.
fn is_traced(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    status.lines().any(|line| line.strip_prefix("TracerPid:").is_some_and(|pid| pid.trim() != "0"))
}

/// Starts an audit of a container by ptrace that has its first process.
fn by_ptrace<'a>(sandbox: &'a Sandbox, container: &Container) -> Running<'a> {
    let first = wait_for("shell that waits", || container.first());
    let group = container.group.display();
    let words =
        format!("audit --no-config --tree --capture ptrace --cgroup {group} --format json -o box.json");
    let mut run = Running::start(sandbox, &words);
    run.wait_for("its tracer", |_| is_traced(first).then_some(()));
    run
}

#[test]
fn a_control_group_is_watched_by_ptrace_and_nothing_is_left_stopped() {
    let sandbox = Sandbox::new();
    let Some(container) = Container::start(&sandbox) else { return };
    let run = by_ptrace(&sandbox, &container);
    container.go();
    wait_until("its first round", || fs::metadata(sandbox.file("upper/data/written")).is_ok());
    let first = wait_for("its second wait", || container.first());
    run.signal(Signal::INT);
    let ended = run.end();
    assert!(ended.code.is_some_and(|code| code < 2), "{:?} {}", ended.code, ended.err);
    assert!(!is_traced(first));
    let audit = json(&sandbox.file("box.json"));
    assert_eq!(audit["gaps"], Value::Null, "{}", audit["gaps"]);
    let directories = audit["tree"]["directories"].as_array().unwrap();
    let data = directories.iter().find(|one| one["directory"] == "/data").unwrap();
    assert_eq!(data["failed"], ROUNDS, "the file that is missing");
    assert_eq!(calls(&audit, "execve"), ROUNDS as u64);
    let container_of = &audit["container"];
    let processes = container_of["processes"].as_array().unwrap();
    let inside: Vec<_> = processes.iter().filter_map(|process| process["inside"].as_u64()).collect();
    assert!(inside.contains(&1) && processes.len() > ROUNDS && inside.len() > ROUNDS, "{processes:?}");
    let files = container_of["files"].as_array().unwrap();
    let layer = |path: &str| {
        let file = files.iter().find(|file| file["path"] == path).unwrap_or_else(|| panic!("{files:?}"));
        (file["layer"].as_str().unwrap(), file["opens"].as_u64().unwrap())
    };
    let rounds = ROUNDS as u64;
    assert_eq!(layer("/data/lowest"), ("lower 2", rounds));
    assert_eq!(layer("/data/up"), ("upper", rounds));
    // It goes on to its end.
    container.go();
    wait_until("the end of the container", || container.members().is_empty());
}

#[test]
fn a_container_outlives_a_tracer_that_is_killed() {
    let sandbox = Sandbox::new();
    let Some(container) = Container::start(&sandbox) else { return };
    let run = by_ptrace(&sandbox, &container);
    // In the middle of its work.
    container.go();
    wait_until("its first round", || fs::metadata(sandbox.file("upper/data/written")).is_ok());
    run.signal(Signal::KILL);
    assert_eq!(run.end().signal, Some(9));
    let first = wait_for("its second wait", || container.first());
    assert!(!is_traced(first));
    container.go();
    wait_until("the end of the container", || container.members().is_empty());
}

#[test]
fn who_is_put_into_a_control_group_is_watched_and_its_other_mounts_are_told() {
    let sandbox = Sandbox::new();
    let Some(container) = Container::start(&sandbox) else { return };
    let group = container.group.display();
    let mut run =
        Running::start(&sandbox, &format!("audit --no-config --cgroup {group} --format json -o in.json"));
    wait_for_ring(&mut run);
    sandbox.write("only-here", "x");
    let script = format!("echo $$ > {group}/cgroup.procs; sleep 1; cat only-here > /dev/null; sleep 1");
    assert!(sandbox.shell(&script).status.success());
    container.go();
    wait_until("its second wait", || container.first().is_some());
    run.signal(Signal::INT);
    let ended = run.end();
    assert!(ended.code.is_some_and(|code| code < 2), "{:?} {}", ended.code, ended.err);
    let audit = json(&sandbox.file("in.json"));
    let files = audit["container"]["files"].as_array().unwrap();
    let file = sandbox.file("only-here");
    let found = files.iter().find(|one| one["path"].as_str().unwrap().ends_with("/only-here")).unwrap();
    let path = found["path"].as_str().unwrap();
    assert!(path.starts_with("/proc/") && path.ends_with(&format!("/root{}", file.display())), "{path}");
    assert_eq!(found["layer"], "unknown: it is of other mounts");
    assert!(files.iter().any(|one| one["path"] == "/data/up" && one["layer"] == "upper"), "{files:?}");
}

#[test]
fn an_empty_control_group_is_waited_for_and_a_trace_of_it_is_judged_later() {
    let sandbox = Sandbox::new();
    let Some(container) = Container::start(&sandbox) else { return };
    let group = container.group.join("below");
    fs::create_dir(&group).unwrap();
    let mut run = Running::start(&sandbox, &format!("trace --cgroup {} -o kept.events", group.display()));
    run.wait_for("the note", |run| run.said("stderr").contains("is empty: waiting").then_some(()));
    wait_for_ring(&mut run);
    sandbox.write("data", "x");
    let script =
        format!("sh -c 'echo $$ > {}/cgroup.procs; sleep 1; cat data data data; sleep 1'", group.display());
    assert!(sandbox.shell(&script).status.success());
    let ended = run.end();
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    fs::remove_dir(&group).unwrap();
    let judged =
        sandbox.fathom("audit --no-config --tree --from kept.events --format json -o kept.json").output();
    assert!(judged.unwrap().status.code().is_some_and(|code| code < 2));
    let audit = json(&sandbox.file("kept.json"));
    let rows = audit["tree"]["directories"].as_array().unwrap();
    let here = rows.iter().find(|row| row["directory"] == sandbox.path().to_str().unwrap());
    // Relative to the directory of a process that came in meanwhile.
    assert!(here.is_some_and(|here| here["calls"].as_u64() > Some(6)), "{rows:?}");
}

#[test]
fn what_is_no_container_and_what_cannot_be_watched_are_refused() {
    let sandbox = Sandbox::new();
    let refused = |words: &str, message: &str| {
        sandbox.fathom(words).assert().code(2).stderr(says(message));
    };
    refused("audit --cgroup .", "is no control group");
    refused("audit --container no-such-box", "no container of that name or id runs here: no-such-box");
    refused("audit --seconds 2", "--seconds is for what runs already");
    refused("audit --container a --cgroup b", "cannot be used with");
    refused("audit --cgroup a --stacks", "cannot be used with");
    let Some(container) = Container::start(&sandbox) else { return };
    let group = container.group.display();
    refused(&format!("audit --cgroup {group} --capture hook"), "the hook does not watch");
}

#[test]
fn a_container_of_podman_is_watched_by_its_name() {
    let sandbox = Sandbox::new();
    if !has(Capability::Ring) {
        return;
    }
    let name = format!("fathom-test-{}", std::process::id());
    let script = format!(
        "set -e; mkdir -p image/bin image/etc; cp $(command -v busybox) image/bin/busybox; echo hello > image/etc/greeting
         tar -C image -cf image.tar .; podman import -q image.tar {name} > /dev/null
         for runtime in crun runc; do
           podman --runtime $(command -v $runtime) run -d --rm --name {name} --network none \
             --ulimit nofile=512:512 --ulimit nproc=512:512 {name} \
             /bin/busybox sh -c 'while :; do /bin/busybox cat /etc/greeting; /bin/busybox sleep 0.2; done' && exit 0
         done; exit 1"
    );
    if !sandbox.shell(&script).status.success() {
        eprintln!("skipped: podman runs no container here");
        sandbox.shell(&format!("podman rmi -f {name}"));
        return;
    }
    let outputs = ["ring", "ptrace"].map(|capture| {
        let words = format!(
            "audit --no-config --container {name} --capture {capture} --seconds 3 --format json -o {capture}.json"
        );
        sandbox.fathom(&words).output().unwrap()
    });
    let cleared = sandbox.shell(&format!("podman rm -f -t 0 {name}; podman rmi -f {name}"));
    for (capture, output) in ["ring", "ptrace"].into_iter().zip(outputs) {
        assert!(output.status.code().is_some_and(|code| code < 2), "{output:?} {cleared:?}");
        let container = &json(&sandbox.file(&format!("{capture}.json")))["container"];
        let named = (&container["name"], &container["engine"]);
        assert_eq!(named, (&Value::from(name.as_str()), &Value::from("podman")), "{capture}");
        let inside = |process: &Value| process["inside"].as_u64();
        let processes = container["processes"].as_array().unwrap();
        assert!(processes.iter().any(|process| inside(process) == Some(1)), "{capture}: {processes:?}");
        let files = container["files"].as_array().unwrap();
        let greeting = files.iter().find(|file| file["path"] == "/etc/greeting");
        assert_eq!(greeting.unwrap_or(&Value::Null)["layer"], "lower 1", "{capture}: {files:?}");
    }
}

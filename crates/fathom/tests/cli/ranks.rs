//! `fathom bench --ranks`: several processes behind an MPI launcher, what each did, and what becomes of
//! a run whose ranks or launcher fail.

use crate::capability::{Capability, has};
use crate::counts::calls;
use crate::sandbox::{Sandbox, says};
use assert_cmd::Command;
use fathom_model::{Comparison, Fork, Record, StopReason};
use predicates::prelude::PredicateBooleanExt;
use std::fs;
use std::time::{Duration, Instant};

/// A launcher of the MPI that is installed, as a script: its first word is the number of ranks, and what
/// `before` says is done in each rank's shell, which becomes the rank.
pub(crate) fn launcher(sandbox: &Sandbox, before: &str) -> String {
    launcher_by(sandbox, "mpirun", before)
}

/// The same by a launcher of this name.
pub(crate) fn launcher_by(sandbox: &Sandbox, mpirun: &str, before: &str) -> String {
    let rank =
        sandbox.write("rank.sh", &format!("R=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}\n{before}\nexec \"$@\"\n"));
    let script = format!(
        "n=$1; shift\nlaunches=$(cat launches 2>/dev/null || echo 0)\nexport LAUNCH=$((launches + 1))\n\
         echo $LAUNCH > launches\n\
         if {mpirun} --version | grep -q 'Open MPI'; then\n\
         exec {mpirun} --allow-run-as-root --oversubscribe -n $n sh {0} \"$@\"\n\
         else exec {mpirun} -n $n sh {0} \"$@\"; fi\n",
        rank.display()
    );
    format!("sh {} {{ranks}}", sandbox.write("launch.sh", &script).display())
}

pub(crate) fn bench(sandbox: &Sandbox, launcher: &str, words: &str) -> Command {
    for directory in ["temporary", "work"] {
        fs::create_dir_all(sandbox.file(directory)).unwrap();
    }
    let mut command = sandbox.fathom(&format!("bench {words} --dir work -o r.json"));
    command.args(["--launcher", launcher]).env("TMPDIR", sandbox.file("temporary"));
    command
}

pub(crate) fn assert_nothing_left(sandbox: &Sandbox) {
    // Open MPI's daemon of a process without a launcher ends when it sees that the process did.
    let begun = Instant::now();
    while !sandbox.processes().is_empty() && begun.elapsed() < Duration::from_mins(2) {
        std::thread::sleep(Duration::from_millis(50));
    }
    sandbox.assert_nothing_left();
    assert_eq!(walk(&sandbox.file("work")), Vec::<std::path::PathBuf>::new());
    let left: Vec<_> = walk(&sandbox.file("temporary"));
    assert_eq!(left, Vec::<std::path::PathBuf>::new());
}

/// Files below a directory: a launcher may leave its empty directory of sessions.
fn walk(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

pub(crate) fn only(record: &Record) -> &Comparison {
    let experiment = &record.experiments[0];
    assert_eq!(experiment.comparisons.len(), 1, "{:?}", experiment.unmeasured);
    &experiment.comparisons[0]
}

/// For each batch kept, its whole time, and when each rank ended after the first one's start.
pub(crate) fn ends(fork: &Fork) -> Vec<(u64, Vec<u64>)> {
    let ranks = &fork.ranks.as_ref().unwrap().arms[0];
    let of = |block: usize| {
        let whole = fork.arms[0].ns[block]?;
        let end = |rank: &fathom_model::RankSamples| Some(rank.start_ns[block]? + rank.ns[block]?);
        Some((whole, ranks.iter().map(end).collect::<Option<Vec<_>>>()?))
    };
    (0..fork.operations.len()).filter_map(of).collect()
}

pub(crate) fn measured(words: &str) -> Option<Record> {
    if !has(Capability::Mpi) {
        return None;
    }
    let sandbox = Sandbox::new();
    let by = launcher(&sandbox, "");
    bench(&sandbox, &by, words).assert().code(0).stdout(says("the same on all 2 ranks"));
    assert_nothing_left(&sandbox);
    let record = sandbox.record("r.json");
    assert!(record.complete);
    Some(record)
}

pub(crate) fn calls_of_ranks(record: &Record) -> Vec<String> {
    let counts = &only(record).ranks.as_ref().unwrap().counts[0];
    counts.iter().map(|count| calls(count.value().unwrap_or_else(|| panic!("{count:?}")))).collect()
}

#[test]
fn creating_calls_are_counted_on_every_rank() {
    let Some(record) = measured("create --ranks 2 --time 1 --set operations=50") else { return };
    assert_eq!(calls_of_ranks(&record), ["close 1, openat 1"; 2]);
}

#[test]
fn opening_takes_as_long_as_the_last_rank() {
    let Some(record) = measured("open-close --ranks 2 --time 1") else { return };
    assert_eq!(calls_of_ranks(&record), ["close 1, openat 1"; 2]);
    let forks = &only(&record).forks;
    let batches: Vec<_> = forks.iter().flat_map(ends).collect();
    assert!(!batches.is_empty());
    for (whole, ends) in batches {
        assert_eq!(whole, *ends.iter().max().unwrap(), "{ends:?}");
    }
}

#[test]
fn ranks_are_different_processes_whose_clock_is_one() {
    let Some(record) = measured("read-whole --ranks 2 --time 1") else { return };
    let comparison = only(&record);
    assert!(!comparison.forks.is_empty());
    for fork in &comparison.forks {
        let [ranks] = fork.ranks.as_ref().unwrap().seats.as_slice() else { panic!("{fork:?}") };
        assert_ne!(ranks[0].pid, ranks[1].pid);
        for rank in ranks {
            // On one kernel the true offset is 0, and the bound is one.
            assert!(rank.clock_offset_ns.unsigned_abs() <= rank.clock_error_ns, "{rank:?}");
        }
    }
}

#[test]
fn the_first_rank_that_reads_cold_is_seen_to_read_the_device() {
    if !has(Capability::Disk) {
        return;
    }
    let Some(record) = measured("read-whole --ranks 2 --time 1 --cache cold --size 64KiB") else { return };
    let evidence = &only(&record).cache[0];
    assert!(evidence.device_read_bytes.value().is_some_and(|&bytes| bytes > 0), "{evidence:?}");
}

#[test]
fn blocks_of_one_file_are_written_by_all_or_each_writes_its_own() {
    let words = "write-block --ranks 2 --time 1 --size 64KiB --block 4KiB --set sharing=";
    let Some(common) = measured(&format!("{words}common")) else { return };
    assert_eq!(calls_of_ranks(&common), ["pwrite64 1"; 2]);
    let own = measured(&format!("{words}own")).unwrap();
    assert_eq!(calls_of_ranks(&own), ["pwrite64 1"; 2]);
}

#[test]
fn a_killed_rank_ends_the_run_and_what_was_measured_stays() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    // Launched are the trial, the count, and a process run that counts, before the one that is killed.
    let kill = "[ $LAUNCH -gt 3 ] && [ $R = 1 ] && { (sleep 0.2; kill -9 $$) & }";
    let by = launcher(&sandbox, kill);
    let words = "open-close --ranks 2 --time 20";
    bench(&sandbox, &by, words).assert().code(2).stdout(says("INCOMPLETE"));
    let record = sandbox.record("r.json");
    assert!(!record.complete);
    let comparison = only(&record);
    assert!(!comparison.forks.is_empty());
    let StopReason::Failed(reason) = &comparison.stop else { panic!("{:?}", comparison.stop) };
    assert!(reason.contains("-started mpi driver") && reason.contains('9'), "{reason}");
    assert_nothing_left(&sandbox);
}

#[test]
fn a_rank_that_cannot_reach_the_directory_is_named() {
    if !has(Capability::Mpi) || !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let hide = format!(
        "if [ $R = 1 ]; then exec unshare -rm sh -c 'mount -t tmpfs none \"$0\" && exec \"$@\"' {} \"$@\"; fi",
        sandbox.file("work").display()
    );
    let by = launcher(&sandbox, &hide);
    for words in ["create --ranks 2 --time 1 --set operations=10", "open-close --ranks 2 --time 1"] {
        bench(&sandbox, &by, words).assert().code(4).stdout(says("ENOENT").and(says("(rank 1 on ")));
    }
    assert_nothing_left(&sandbox);
}

fn refused(by: &str, words: &str) -> Option<String> {
    if !has(Capability::Mpi) {
        return None;
    }
    let sandbox = Sandbox::new();
    bench(&sandbox, by, words).assert().code(4);
    assert_nothing_left(&sandbox);
    let record = sandbox.record("r.json");
    Some(record.experiments[0].unmeasured[0].reason.clone())
}

#[test]
fn a_launcher_that_is_not_there_is_named() {
    let Some(reason) = refused("no-such-launcher -n {ranks}", "open-close --ranks 2") else { return };
    assert!(reason.starts_with("failed to start no-such-launcher"), "{reason}");
}

#[test]
fn a_launcher_that_fails_says_why() {
    let Some(reason) = refused("sh -c 'echo no nodes left >&2; exit 7'", "open-close --ranks 2") else {
        return;
    };
    assert!(reason.contains("exited with 7 while starting: no nodes left"), "{reason}");
}

#[test]
fn a_launcher_that_hangs_is_given_up() {
    let words = "open-close --ranks 2 --launcher-limit 1";
    let Some(reason) = refused("sh -c 'sleep 1000'", words) else { return };
    assert_eq!(reason, "`sh -c sleep 1000` did not start the 2 ranks within 1 s (--launcher-limit)");
}

#[test]
fn a_launcher_that_starts_a_program_without_ranks_is_refused() {
    let Some(reason) = refused("env", "open-close --ranks 2") else { return };
    assert!(reason.contains("started a program of 1 rank, where 2 were asked for"), "{reason}");
}

#[test]
fn without_mpi_the_driver_is_unavailable() {
    let sandbox = Sandbox::new();
    let mut command = bench(&sandbox, "mpirun -n {ranks}", "open-close --ranks 2");
    let why = "no `mpicc` found (set MPICC to name one)";
    command.env("MPICC", "/no/mpicc").assert().code(4).stdout(says(why));
    let mut list = sandbox.fathom("list drivers");
    list.env("MPICC", "/no/mpicc").assert().code(0).stdout(says(&format!("unavailable: {why}")));
}

#[test]
fn methods_of_one_process_are_refused() {
    let sandbox = Sandbox::new();
    let words = "open-close --ranks 2 --methods native:open";
    let refused = says("--ranks: native:open is no method of ranks");
    bench(&sandbox, "mpirun", words).assert().code(2).stderr(refused);
}

/// Two network namespaces, each a host of its own name to the ranks, and this one, on a bridge. The number
/// sets apart what tests have at the same time.
pub(crate) struct TwoHosts(u8);

impl TwoHosts {
    fn leave(&self) -> String {
        let number = self.0;
        format!("ip netns del fathom{number}A; ip netns del fathom{number}B; ip link del fathombr{number}")
    }

    pub(crate) fn enter(sandbox: &Sandbox, number: u8) -> Self {
        let hosts = Self(number);
        let up = format!(
            "b=fathombr{number}; net=10.77.{number}; ip link add $b type bridge && ip addr add $net.1/24 dev $b && ip link set $b up
            for x in A:2 B:3; do n=fathom{number}${{x%:*}}; v=fv{number}${{x%:*}}
            ip netns add $n && ip link add $v type veth peer name eth0 netns $n && ip link set $v master $b up
            ip -n $n addr add $net.${{x#*:}}/24 dev eth0; ip -n $n link set eth0 up; ip -n $n link set lo up; done"
        );
        // What an ended run left would stand in the way.
        sandbox.shell(&hosts.leave());
        let made = sandbox.shell(&up);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        hosts
    }

    /// A launcher whose agent, in the place of ssh, enters the namespace.
    pub(crate) fn launcher(&self, sandbox: &Sandbox) -> String {
        let number = self.0;
        let agent = format!(
            "#!/bin/sh\nwhile case \"$1\" in -*) true;; *) false;; esac; do shift; done\n\
            case \"$1\" in *.2) n=fathom{number}A;; *.3) n=fathom{number}B;; *) exit 255;; esac\nshift\n\
            exec ip netns exec $n unshare --uts sh -c 'hostname '$n'; exec sh -c \"$0\"' \"$*\"\n"
        );
        let agent = sandbox.write("agent.sh", &agent);
        fs::set_permissions(&agent, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let net = format!("10.77.{number}");
        format!(
            "mpirun --allow-run-as-root --oversubscribe -n {{ranks}} --host {net}.2:1,{net}.3:1 --mca plm_rsh_agent {} \
             --mca btl tcp,self --mca btl_tcp_if_include {net}.0/24 --mca oob_tcp_if_include {net}.0/24",
            agent.display()
        )
    }
}

impl Drop for TwoHosts {
    fn drop(&mut self) {
        let _best_effort = std::process::Command::new("sh").args(["-c", &self.leave()]).status();
    }
}

#[test]
fn ranks_on_two_hosts_are_named_and_counted_in_a_shared_directory() {
    if !has(Capability::Mpi) || !has(Capability::NetworkNamespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let hosts = TwoHosts::enter(&sandbox, 7);
    let by = hosts.launcher(&sandbox);
    let words = "create --ranks 2 --time 1 --set operations=20";
    bench(&sandbox, &by, words).assert().code(0).stdout(says("on fathom7A, fathom7B"));
    let record = sandbox.record("r.json");
    assert_eq!(calls_of_ranks(&record), ["close 1, openat 1"; 2]);
    let hosts: Vec<_> =
        only(&record).forks[0].ranks.as_ref().unwrap().seats[0].iter().map(|rank| &rank.host).collect();
    assert_eq!(hosts, ["fathom7A", "fathom7B"]);
    assert_nothing_left(&sandbox);
}

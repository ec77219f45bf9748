//! Ranks that are somewhere else, as far as one machine can have that: with another clock, or under
//! a kernel that says it is another.

use crate::capability::{Capability, has};
use crate::ranks::{assert_nothing_left, bench, ends, launcher, only};
use crate::sandbox::{Sandbox, says};
use fathom_model::{DentryState, Proof, Record};

fn measured(before: &str, words: &str, said: &str) -> Record {
    let sandbox = Sandbox::new();
    let by = launcher(&sandbox, before);
    bench(&sandbox, &by, words).assert().code(0).stdout(says(said));
    assert_nothing_left(&sandbox);
    sandbox.record("r.json")
}

#[test]
fn a_clock_that_differs_is_measured_and_taken_off() {
    if !has(Capability::Mpi) || !has(Capability::TimeNamespaces) {
        return;
    }
    // A time namespace is the rank's own from the first exec in it on: its clock is 1000 s ahead.
    let ahead = "[ $R = 1 ] && exec unshare -rT --monotonic 1000 \"$@\"";
    let words = "open-close --ranks 2 --time 1 --set operations=100";
    let record = measured(ahead, words, "clocks that differ, brought together by messages");
    let comparison = only(&record);
    for fork in &comparison.forks {
        let rank = &fork.ranks.as_ref().unwrap().seats[0][1];
        let wrong_by = (rank.clock_offset_ns - 1_000_000_000_000).unsigned_abs();
        assert!(wrong_by <= rank.clock_error_ns, "{rank:?}");
        for (whole, ends) in ends(fork) {
            assert_eq!(Some(&whole), ends.iter().max());
            assert!(whole < 1_000_000_000_000, "{whole} ns has the offset in it");
        }
    }
    assert!(!comparison.forks.is_empty());
}

/// In a mount namespace of its own, where the kernel has another boot.
const OTHER_KERNEL: &str = "[ $R = 1 ] && { echo 00000000-0000-4000-8000-000000000001 > ${TMPDIR}/boot; \
    exec unshare -rm sh -c 'mount --bind $TMPDIR/boot /proc/sys/kernel/random/boot_id && rm $TMPDIR/boot; exec \"$@\"' - \"$@\"; }";

#[test]
fn what_is_warm_on_another_host_is_not_known() {
    if !has(Capability::Mpi) || !has(Capability::Namespaces) {
        return;
    }
    let record = measured(OTHER_KERNEL, "read-whole --ranks 2 --time 1", "UNKNOWN, rank 1 ran on");
    let evidence = &only(&record).cache[0];
    assert!(matches!(evidence.proof, Proof::Unknown(_)), "{evidence:?}");
    assert_eq!(evidence.dentry, DentryState::Unknown);
}

#[test]
fn what_is_cold_on_another_host_is_shown_by_its_rank() {
    if !has(Capability::Mpi) || !has(Capability::Namespaces) || !has(Capability::Disk) {
        return;
    }
    let words = "read-whole --ranks 2 --time 1 --cache cold --size 64KiB";
    let record = measured(OTHER_KERNEL, words, "dentries unknown");
    let evidence = &only(&record).cache[0];
    assert_eq!((&evidence.proof, evidence.file_pages), (&Proof::Proven, 32), "{evidence:?}");
}

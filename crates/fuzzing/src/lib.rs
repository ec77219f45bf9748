//! What Fathom reads that others may have made, as functions of bytes that must not panic,
//! hang or eat memory: fuzz targets.
//!
//! `fuzz/` hands them to libFuzzer; `cargo run -p xtask -- fuzz` and a test feed them by a
//! mutator that needs no instrumentation. Seeds lie in `fuzz/corpus`, a folder for each target.

mod mutator;
mod targets;

pub use mutator::Mutator;
pub use targets::{TARGETS, Target};

use std::io;
use std::path::Path;

/// Runs the target of this name; none runs where there is no such target.
pub fn run(name: &str, bytes: &[u8]) {
    TARGETS.iter().filter(|target| target.name == name).for_each(|target| (target.run)(bytes));
}

/// The seeds of a target, by name, so that every run meets them in the same order.
pub fn corpus(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus")).join(target.name);
    let mut paths =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().map(std::fs::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough to notice a reader that breaks at once, few enough for every run of the tests.
    const MUTATIONS: usize = 200;

    #[test]
    fn every_target_survives_its_seeds_and_what_is_made_of_them() {
        for target in TARGETS {
            let seeds = corpus(target).unwrap();
            assert!(!seeds.is_empty(), "{} has no seeds", target.name);
            for seed in &seeds {
                (target.run)(seed);
            }
            let mut mutator = Mutator::new(seeds, 16);
            for _ in 0..MUTATIONS {
                (target.run)(&mutator.next_input());
            }
        }
    }

    /// One in `fuzz/`, that is, whose name is that of a file and of an entry.
    #[test]
    fn every_target_has_its_entry_for_libfuzzer() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz"));
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for Target { name, .. } in TARGETS {
            let entry = std::fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
            assert!(entry.contains(&format!("run(\"{name}\"")));
            assert!(manifest.contains(&format!("name = \"{name}\"")));
        }
    }

    #[test]
    fn seeds_are_read_to_their_end() {
        for target in TARGETS {
            for (at, seed) in corpus(target).unwrap().iter().enumerate() {
                assert!((target.accepts)(seed), "{}: seed {at} is refused", target.name);
            }
        }
    }
}

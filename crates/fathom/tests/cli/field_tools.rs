//! What mdtest does beside what ranks do: the same calls for each operation, told by `fathom count`.
//! `FATHOM_MDTEST` names the program (docs/SCALE.md has how it is built).

use crate::capability::{Capability, has};
use crate::counts::calls;
use crate::ranks::{measured, only};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

const ITEMS: [i64; 2] = [100, 300];

/// Calls of mdtest's own process that grow by as many as it has files or directories, and by what part of them.
fn calls_of_mdtest(sandbox: &Sandbox, words: &str) -> BTreeMap<String, i64> {
    let mdtest = std::env::var("FATHOM_MDTEST").unwrap();
    let [few, many] = ITEMS.map(|items| {
        let words = format!("count --format json -o count.json -- {mdtest} -n {items} -d items {words}");
        // What mdtest made before, and does not remove without -r, would be there already.
        let _may_not_be_there = fs::remove_dir_all(sandbox.file("items"));
        fs::create_dir_all(sandbox.file("items")).unwrap();
        sandbox.fathom(&words).assert().code(0);
        let counted: Value = serde_json::from_slice(&fs::read(sandbox.file("count.json")).unwrap()).unwrap();
        let mut calls: BTreeMap<String, i64> = BTreeMap::new();
        for thread in counted["processes"][0]["threads"].as_array().unwrap() {
            for call in thread["calls"].as_array().unwrap() {
                *calls.entry(call["call"].as_str().unwrap().to_owned()).or_default() +=
                    call["count"].as_i64().unwrap();
            }
        }
        calls
    });
    let added = ITEMS[1] - ITEMS[0];
    let more = many.into_iter().map(|(call, count)| (call.clone(), count - few.get(&call).unwrap_or(&0)));
    // What the MPI itself does is not of the operation.
    more.filter(|(call, more)| {
        *more >= added && !["poll", "clock_nanosleep", "write"].contains(&call.as_str())
    })
    .collect()
}

/// Calls of one rank for one operation.
fn calls_of_rank(operation: &str) -> Option<String> {
    let record = measured(&format!("{operation} --ranks 2 --time 1 --set operations=40"))?;
    let counts = &only(&record).ranks.as_ref()?.counts[0];
    Some(calls(counts[0].value()?))
}

#[test]
fn mdtest_makes_the_calls_that_ranks_make() {
    if !has(Capability::Mdtest) || !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let added = ITEMS[1] - ITEMS[0];
    for (words, call, operation) in [
        ("-F -C", "openat", "create"),
        ("-F -C -T", "newfstatat", "stat"),
        ("-F -C -T -r", "unlink", "remove"),
        ("-D -C", "mkdir", "make-directory"),
        ("-D -C -T", "newfstatat", "stat-directory"),
        ("-D -C -T -r", "rmdir", "remove-directory"),
    ] {
        let of_mdtest = calls_of_mdtest(&sandbox, words);
        assert_eq!(of_mdtest.get(call), Some(&added), "{words}: {of_mdtest:?}");
        let of_rank = calls_of_rank(operation).unwrap();
        assert!(of_rank.contains(&format!("{call} 1")), "{operation}: {of_rank}");
    }
}

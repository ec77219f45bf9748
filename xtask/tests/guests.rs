//! Counts and audits on other kernels and another architecture, against strace there: guests that
//! `cargo xtask kernels` boots under qemu, without KVM.
//!
//! Where a guest cannot be had (no qemu, no compiler, no kernel to fetch) the test says why and passes,
//! unless `FATHOM_TEST_REQUIRE` names `guests`, as CI's does.

use std::io::Write;
use std::process::Command;

/// Boots the guest, and asserts that Fathom agrees with strace in it.
fn assert_agrees_with_strace(guest: &str) {
    let xtask = Command::new(env!("CARGO_BIN_EXE_xtask")).args(["kernels", "--quick", guest]).output();
    let output = xtask.expect("xtask was built for this test");
    let said = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned());
    let said = said.concat();
    if output.status.code() == Some(2) {
        let required = std::env::var("FATHOM_TEST_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|word| word == "guests"), "guests are required here: {said}");
        writeln!(std::io::stderr(), "skipped: guests are missing here: {said}").expect("stderr takes a line");
        return;
    }
    assert!(output.status.success(), "{said}");
    // A table without this row would be one of no guest.
    assert!(said.contains(&format!("| {guest} | ")), "{said}");
}

#[test]
#[ignore = "long"]
fn x86_64_counts_and_audits_are_those_of_strace() {
    assert_agrees_with_strace("x86_64-6.12");
}

#[test]
#[ignore = "long"]
fn aarch64_counts_and_audits_are_those_of_strace() {
    assert_agrees_with_strace("aarch64-6.12");
}

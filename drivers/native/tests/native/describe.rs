//! What `describe` says of the program itself.

use crate::conversation::DRIVER;
use serde_json::Value;
use std::process::Command;

fn description() -> Value {
    let output = Command::new(DRIVER).arg("describe").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn it_names_the_protocol_the_compiler_and_the_c_library() {
    let description = description();
    assert_eq!((&description["protocol"], &description["driver"]), (&1.into(), &"native".into()));
    let compiler = Command::new("rustc").arg("--version").output().unwrap();
    let compiler = String::from_utf8(compiler.stdout).unwrap();
    let version = compiler.split(' ').nth(1).unwrap();
    let runtime = description["runtime"].as_str().unwrap();
    assert!(runtime.starts_with(&format!("rustc {version}, ")), "{runtime}");
    #[cfg(target_env = "gnu")]
    assert!(runtime.contains(", glibc 2."), "{runtime}");
}

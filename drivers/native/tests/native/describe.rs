//! `describe` and driver.toml say the same.

use crate::conversation::DRIVER;
use serde_json::Value;
use std::path::Path;
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

#[test]
fn its_methods_are_those_of_driver_toml_in_the_same_order() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("driver.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let mut described = description()["methods"].clone();
    for method in described.as_array_mut().unwrap() {
        method.as_object_mut().unwrap().remove("unavailable");
    }
    assert_eq!(described, serde_json::to_value(&table["methods"]).unwrap());
    assert_eq!(description()["language"], serde_json::to_value(&table["language"]).unwrap());
}

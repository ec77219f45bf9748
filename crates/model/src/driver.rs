//! Drivers: what one says of itself, and where it came from.

use crate::{Operation, Reading, Setting};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the driver protocol that this Fathom speaks.
pub const PROTOCOL_VERSION: u32 = 1;

/// One method as a driver describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MethodDescription {
    /// Its name, unique in the driver.
    pub name: String,
    /// The operations it can perform.
    pub operations: Vec<Operation>,
    /// One line: the calls a user of the language would write.
    #[serde(default)]
    pub does: String,
    /// Why it cannot run here, when it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// Settings it obeys that not every method of its operations does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<Setting>,
    /// Why it answers wrongly, when it shows a program that does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaw: Option<String>,
}

/// The answer of `driver describe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Description {
    /// The protocol it speaks.
    pub protocol: u32,
    /// Its short name: `go`.
    pub driver: String,
    /// The language: `Go`.
    pub language: String,
    /// The runtime and its version: `go1.26.8`.
    pub runtime: String,
    /// Its methods.
    pub methods: Vec<MethodDescription>,
}

/// A driver as it stands in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverFacts {
    /// The driver's short name, as in methods.
    pub driver: String,
    /// The language.
    pub language: String,
    /// The runtime and its version.
    pub runtime: String,
    /// The toolchain that built it, in its own words, or `built in`.
    pub toolchain: String,
    /// SHA-256 of the sources, in hexadecimal.
    pub source_sha256: Reading<String>,
    /// SHA-256 of what was built of them, in hexadecimal: of the program, or where it is several
    /// files, of the lines that `sha256sum` prints of them. Checked before each start.
    #[serde(default = "not_taken")]
    pub product_sha256: Reading<String>,
    /// The program that ran.
    pub program: String,
    /// Variables set in its environment (`GOMAXPROCS=1`).
    pub environment: BTreeMap<String, String>,
}

fn not_taken() -> Reading<String> {
    Reading::unavailable("not taken when this record was made")
}

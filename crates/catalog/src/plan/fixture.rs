//! A registry for tests, of manifests that stand beside them and do not change
//! with the real drivers.

use crate::manifest::DriverManifest;
use crate::registry::MethodRegistry;

/// Two drivers, `native` and `go`.
pub(crate) fn registry() -> MethodRegistry {
    let native = include_str!("../../tests/fixtures/native.toml");
    let go = include_str!("../../tests/fixtures/go.toml");
    let manifests = [("native.toml", native), ("go.toml", go)]
        .into_iter()
        .map(|(file, text)| DriverManifest::parse(file, text).expect("the fixtures are valid"));
    MethodRegistry::new(manifests.collect()).expect("their names differ")
}

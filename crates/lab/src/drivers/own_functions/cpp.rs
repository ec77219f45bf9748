//! The driver of a user's C++ functions.

use super::kit::{Prepared, UserFile, cpp_kit};
use super::leaked;
use crate::drivers::build_system::{CPP_COPY, SKIPPED};
use crate::drivers::driver_source::{BuildSystem, DriverSource};

pub(super) fn cpp(shipped: &DriverSource, user: UserFile<'_>) -> Prepared {
    let mut files = cpp_kit(shipped);
    files.push((CPP_COPY.to_owned(), format!("#line 1 \"{}\"\n{}", user.place, user.text)));
    files.push((SKIPPED.to_owned(), String::new()));
    let mut source = leaked("own-cpp", files, shipped);
    source.build_system = BuildSystem::OwnCpp;
    (source, Vec::new())
}

//! The driver of a user's Zig file: the compiler itself finds the functions (`drivers/own/zig_own.zig`).

use super::kit::{Prepared, UserFile, files_of, replaced};
use super::leaked;
use crate::drivers::driver_source::DriverSource;

/// The user's file as the compiler names it.
pub(super) const COPY: &str = "own_source.zig";

const TABLE: &str = "pub const table = @import(\"methods_opening.zig\").table ++ @import(\"methods_reading.zig\").table ++ @import(\"methods_writing.zig\").table ++ ";

pub(super) fn zig(shipped: &DriverSource, user: UserFile<'_>) -> Prepared {
    let mut files = files_of(shipped);
    for (name, text) in &mut files {
        if name == "methods.zig" {
            *text = replaced(text, TABLE, "pub const table = @import(\"own.zig\").table ++ ");
        }
    }
    files.push(("own.zig".to_owned(), include_str!("../../../../../drivers/own/zig_own.zig").to_owned()));
    files.push((COPY.to_owned(), user.text.to_owned()));
    (leaked("own-zig", files, shipped), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::driver_source::SHIPPED;

    #[test]
    fn the_zig_driver_takes_the_users_table() {
        let shipped = SHIPPED.iter().find(|source| source.name == "zig").unwrap();
        let (source, _) = zig(shipped, UserFile { name: "w.zig", place: "/w.zig", text: "" });
        let (_, table) = source.files.iter().find(|(name, _)| *name == "methods.zig").unwrap();
        assert!(table.contains("own.zig") && !table.contains("methods_reading.zig"));
    }
}

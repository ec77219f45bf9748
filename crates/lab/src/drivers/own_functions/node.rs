//! The driver of a user's JavaScript file, which is imported from its own place
//! (`drivers/own/node_own.mjs`).

use super::kit::{Prepared, UserFile, files_of};
use super::leaked;
use crate::drivers::driver_source::DriverSource;

pub(super) fn node(shipped: &DriverSource, user: UserFile<'_>) -> Prepared {
    const APPENDED: &str = "\nawait (await import('./own.mjs')).replaceMethods(methods);\n";
    let mut files = files_of(shipped);
    for (name, text) in &mut files {
        if name == "methods.mjs" {
            text.push_str(APPENDED);
        }
    }
    files.push(("own.mjs".to_owned(), include_str!("../../../../../drivers/own/node_own.mjs").to_owned()));
    files.push(("own_place.mjs".to_owned(), format!("export const PLACE = \"{}\";\n", user.place)));
    files.push(("own_source.txt".to_owned(), user.text.to_owned()));
    (leaked("own-node", files, shipped), Vec::new())
}

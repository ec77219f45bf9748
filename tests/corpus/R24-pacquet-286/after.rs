//! Puts the files of a package in their places and remembers which directories it made.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let mut made = HashSet::new();
    for file in 0..30 {
        let path = PathBuf::from(format!("package/{}/{file}.js", ["lib", "dist"][file % 2]));
        let directory = path.parent().unwrap().to_owned();
        if !made.contains(&directory) {
            fs::create_dir_all(&directory)?;
            made.insert(directory);
        }
        fs::write(path, "module.exports = 1;\n")?;
    }
    println!("{} files", fs::read_dir("package/lib")?.count() + fs::read_dir("package/dist")?.count());
    Ok(())
}

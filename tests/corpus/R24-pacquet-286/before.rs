//! Puts the files of a package in their places and makes the directory for each.

use std::fs;
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    for file in 0..30 {
        let path = PathBuf::from(format!("package/{}/{file}.js", ["lib", "dist"][file % 2]));
        fs::create_dir_all(path.parent().unwrap())?;
        fs::write(path, "module.exports = 1;\n")?;
    }
    println!("{} files", fs::read_dir("package/lib")?.count() + fs::read_dir("package/dist")?.count());
    Ok(())
}

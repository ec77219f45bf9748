//! Reads all of two files, with room for as much as there is.

fn main() -> std::io::Result<()> {
    println!("{} bytes", std::fs::read("one")?.len() + std::fs::read("two")?.len());
    Ok(())
}

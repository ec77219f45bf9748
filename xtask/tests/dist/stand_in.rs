//! A small program in Fathom's place: it answers what packing and checking the forms ask of it.
//! `STAND_IN` in its environment has no part here: how it behaves is in its own name's folder.

use std::io::Write;
use std::path::Path;

/// Compiled in: what the audit does. `works`, `silent` or `waits`.
const BEHAVIOR: &str = env!("STAND_IN_BEHAVIOR");
const VERSION: &str = env!("STAND_IN_VERSION");

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["--version"] => println!("fathom {VERSION}"),
        ["man", "--output", folder] => {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(Path::new(folder).join("fathom.1"), ".TH FATHOM 1\n").unwrap();
        }
        ["completions", shell] => println!("# {shell}"),
        ["audit", ..] if BEHAVIOR == "works" => println!("12 file calls"),
        ["audit", ..] if BEHAVIOR == "waits" => {
            // Whoever waits for this sees it begin.
            println!("waiting");
            std::io::stdout().flush().unwrap();
            std::thread::sleep(std::time::Duration::from_secs(600));
        }
        ["audit", ..] => {}
        ["bench", ..] => println!("native:open"),
        _ => std::process::exit(2),
    }
}

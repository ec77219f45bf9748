//! Answers the auction's questions: how many boxes of herring did a boat land?
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

struct Landing {
    boxes: u32,
    grade: u32,
}

fn find(dir: &Path, boat: &str) -> io::Result<Option<PathBuf>> {
    let ending = format!("-{boat}.txt");
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(&ending) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

fn read(path: &Path) -> io::Result<Landing> {
    let text = fs::read_to_string(path)?;
    let mut numbers = text.split_whitespace().map(|w| w.parse().unwrap_or(0));
    Ok(Landing {
        boxes: numbers.next().unwrap_or(0),
        grade: numbers.next().unwrap_or(0),
    })
}

fn main() -> io::Result<()> {
    let dir = Path::new("landings");
    let mut asked = 0;
    let mut unknown = Vec::new();
    let mut by_grade = [0u32; 4];
    for boat in fs::read_to_string("queries.txt")?.lines() {
        asked += 1;
        match find(dir, boat)? {
            Some(path) => {
                let landing = read(&path)?;
                by_grade[landing.grade as usize & 3] += landing.boxes;
                if landing.boxes > 60 {
                    println!("{boat}: {} boxes", landing.boxes);
                }
            }
            None => unknown.push(boat.to_string()),
        }
    }
    for (grade, boxes) in by_grade.iter().enumerate().skip(1) {
        println!("grade {grade}: {boxes} boxes");
    }
    println!("{asked} questions, not landed: {}", unknown.join(" "));
    Ok(())
}

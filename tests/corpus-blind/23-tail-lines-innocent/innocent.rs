// Prints the number of the line 300 lines before the end.
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

const BLOCK: u64 = 4096;

fn tail(file: &File, lines: usize) -> io::Result<Vec<u8>> {
    let mut at = file.metadata()?.len();
    let mut text: Vec<u8> = Vec::new();
    while at > 0 {
        let n = BLOCK.min(at);
        at -= n;
        let mut block = vec![0; n as usize];
        file.read_exact_at(&mut block, at)?;
        block.extend_from_slice(&text);
        text = block;
        if text.iter().filter(|&&b| b == b'\n').count() > lines {
            break;
        }
    }
    let mut seen = 0;
    let start = text.iter().rposition(|&b| {
        seen += (b == b'\n') as usize;
        seen > lines
    });
    Ok(text.split_off(start.map_or(0, |s| s + 1)))
}

fn main() -> io::Result<()> {
    let file = File::open("huge.log")?;
    let text = tail(&file, 300)?;
    let text = String::from_utf8_lossy(&text);
    println!("{} lines, first {}", text.lines().count(), text.lines().next().unwrap_or(""));
    Ok(())
}

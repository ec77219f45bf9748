// Converts a text to the cell numbers an embosser for Braille takes, six-dot, line by line.
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

const CELLS: [u8; 26] = [
    1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61,
    53,
];

fn cell(c: char) -> Option<u8> {
    match c {
        'a'..='z' => Some(CELLS[c as usize - 'a' as usize]),
        '1'..='9' => Some(CELLS[c as usize - '1' as usize]),
        '0' => Some(CELLS[9]),
        ' ' => Some(0),
        _ => None,
    }
}

fn emboss(text: &str, out: &mut impl Write) -> io::Result<(u32, u32)> {
    let (mut cells, mut dots) = (0, 0);
    for line in text.lines() {
        let mut digits = false;
        for c in line.chars() {
            let Some(n) = cell(c) else { continue };
            if c.is_ascii_digit() && !digits {
                write!(out, "60 ")?; // the number sign
            }
            digits = c.is_ascii_digit();
            write!(out, "{n:02} ")?;
            cells += 1;
            dots += n.count_ones();
        }
        writeln!(out)?;
    }
    Ok((cells, dots))
}

fn main() -> io::Result<()> {
    let text = fs::read_to_string("book.txt")?;
    let mut out = BufWriter::new(File::create("book.cells")?);
    let (cells, dots) = emboss(&text, &mut out)?;
    out.flush()?;
    println!("{cells} cells, {dots} dots");
    println!("{} lines", text.lines().count());
    Ok(())
}

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

struct Verse {
    number: usize,
    body: String,
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

fn next_verse(song: &mut File) -> io::Result<Option<Verse>> {
    let mut head = [0u8; 256];
    let n = song.read(&mut head)?;
    if n == 0 {
        return Ok(None);
    }
    let end = head[..n].iter().position(|&b| b == b'\n').ok_or_else(|| bad("no head"))?;
    song.seek(SeekFrom::Current(end as i64 + 1 - n as i64))?;
    let line = String::from_utf8_lossy(&head[..end]).into_owned();
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() != 3 || words[0] != "verse" {
        return Err(bad("not a verse"));
    }
    let number = words[1].parse().map_err(|_| bad("number"))?;
    let length: usize = words[2].parse().map_err(|_| bad("length"))?;
    let mut body = vec![0u8; length];
    song.read_exact(&mut body)?;
    Ok(Some(Verse { number, body: String::from_utf8_lossy(&body).into_owned() }))
}

fn main() -> io::Result<()> {
    let mut song = File::open("anthem.vrs")?;
    let mut verses = 0;
    let mut syllables = 0;
    let mut longest = (0, 0);
    while let Some(verse) = next_verse(&mut song)? {
        let here = verse.body.split(' ').filter(|w| !w.is_empty()).count();
        syllables += here;
        verses += 1;
        if here > longest.0 {
            longest = (here, verse.number);
        }
    }
    println!("{} verses, {} syllables, longest verse {}", verses, syllables, longest.1);
    Ok(())
}

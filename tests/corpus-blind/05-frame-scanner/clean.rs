// Lists the frames of a capture: four decimal digits of length, then the body.
use std::fs::File;
use std::io::{self, Read};

struct Frame {
    at: u64,
    body: Vec<u8>,
}

struct Scanner {
    file: File,
    at: u64,
}

impl Scanner {
    fn next(&mut self) -> io::Result<Option<Frame>> {
        let at = self.at;
        let mut head = [0u8; 4];
        match self.file.read(&mut head)? {
            0 => return Ok(None),
            4 => {}
            _ => return Err(io::Error::other("short header")),
        }
        let len: usize = std::str::from_utf8(&head)
            .ok()
            .and_then(|s| s.parse().ok())
            .ok_or_else(|| io::Error::other("bad length"))?;
        let mut body = vec![0; len];
        self.file.read_exact(&mut body)?;
        self.at += 4 + len as u64;
        Ok(Some(Frame { at, body }))
    }
}

fn main() -> io::Result<()> {
    let mut scanner = Scanner { file: File::open("capture.pkt")?, at: 0 };
    let (mut frames, mut bytes, mut last) = (0, 0, 0);
    while let Some(frame) = scanner.next()? {
        frames += 1;
        bytes += frame.body.len();
        last = frame.at;
    }
    println!("{frames} frames, {bytes} bytes, last at {last}");
    Ok(())
}

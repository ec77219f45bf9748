// frame-protocol: a spell-check helper behind a pipe, as editors start it. Each request is
// a frame (4-byte length, payload) and the next one is sent only when the answer has come,
// so neither side can read or write further ahead.
use std::env;
use std::io::{self, BufReader, Read, Write};
use std::process::{Command, Stdio};

fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0u8; 4];
    if from.read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut head[1..])?;
    let mut body = vec![0u8; u32::from_be_bytes(head) as usize];
    from.read_exact(&mut body)?;
    Ok(Some(body))
}

fn write_frame(to: &mut impl Write, body: &[u8]) -> io::Result<()> {
    let mut frame = Vec::with_capacity(body.len() + 4);
    frame.extend_from_slice(&(body.len() as u32).to_be_bytes());
    frame.extend_from_slice(body);
    to.write_all(&frame)?;
    to.flush()
}

fn helper() -> io::Result<()> {
    let known = ["apple", "bread", "cheese", "dates", "eggs"];
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    while let Some(body) = read_frame(&mut input)? {
        let word = String::from_utf8_lossy(&body);
        let answer = if known.contains(&word.as_ref()) { "ok" } else { "unknown" };
        write_frame(&mut output, answer.as_bytes())?;
    }
    Ok(())
}

fn editor() -> io::Result<()> {
    let mut child = Command::new(env::current_exe()?)
        .arg("--helper")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let words = ["apple", "bred", "cheese", "eggs", "datez", "bread", "milk"];
    let (mut good, mut bad) = (0, 0);
    for i in 0..300 {
        write_frame(&mut to, words[i % words.len()].as_bytes())?;
        match read_frame(&mut from)? {
            Some(a) if a == b"ok" => good += 1,
            Some(_) => bad += 1,
            None => break,
        }
    }
    drop(to);
    let status = child.wait()?;
    println!("{} known, {} unknown, helper ended well: {}", good, bad, status.success());
    Ok(())
}

fn main() -> io::Result<()> {
    if env::args().nth(1).as_deref() == Some("--helper") {
        helper()
    } else {
        editor()
    }
}

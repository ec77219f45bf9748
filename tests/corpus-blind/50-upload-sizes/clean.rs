// Prepares uploads: a header with the length, then the content.
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

struct Upload {
    header: String,
    body: Vec<u8>,
}

fn prepare(path: &Path) -> io::Result<Upload> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let header = format!("PUT {} {len}\n", path.file_name().unwrap().to_string_lossy());
    let mut body = vec![0; len as usize];
    file.read_exact(&mut body)?;
    Ok(Upload { header, body })
}

fn main() -> io::Result<()> {
    let mut request = Vec::new();
    let mut uploads = 0;
    for n in 0..90 {
        let name = format!("outbox/{n}.dat");
        let upload = prepare(Path::new(&name))?;
        request.extend_from_slice(upload.header.as_bytes());
        request.extend_from_slice(&upload.body);
        uploads += 1;
    }
    fs::write("request.bin", &request)?;
    println!("{uploads} uploads, {} bytes", request.len());
    Ok(())
}

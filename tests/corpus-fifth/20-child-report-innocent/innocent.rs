// Gathers the reports of several generators, which write to a pipe as much as they like.
use std::io::{self, Read};
use std::process::{Command, Stdio};

struct Report {
    name: String,
    text: Vec<u8>,
}

// The length is not known before the generator has closed its end.
fn collect(name: &str, count: u32) -> io::Result<Report> {
    let program = format!(
        "BEGIN {{ for (i = 0; i < {count}; i++) printf \"%s entry %d of {count}\\n\", \"{name}\", i }}"
    );
    let mut child = Command::new("awk").arg(program).stdout(Stdio::piped()).spawn()?;
    let mut text = Vec::new();
    child.stdout.take().expect("piped").read_to_end(&mut text)?;
    if !child.wait()?.success() {
        return Err(io::Error::other(format!("{name} failed")));
    }
    Ok(Report { name: name.to_string(), text })
}

fn lines(text: &[u8]) -> usize {
    text.iter().filter(|&&b| b == b'\n').count()
}

fn main() -> io::Result<()> {
    let wanted = [
        ("stores", 900),
        ("kitchen", 2500),
        ("laundry", 1300),
        ("garden", 5200),
        ("stables", 3100),
    ];
    let mut total = 0;
    for (name, count) in wanted {
        let report = collect(name, count)?;
        total += report.text.len();
        println!("{:8} {:5} lines {:7} bytes", report.name, lines(&report.text), report.text.len());
    }
    println!("{total} bytes");
    Ok(())
}

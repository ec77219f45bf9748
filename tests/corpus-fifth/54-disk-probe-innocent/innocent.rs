// Before the night's backup: tries each target by really writing to it, and tells which can be used.
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

const PROBE: usize = 256 * 1024;

enum State {
    Usable,
    Missing,
    Refused(io::Error),
}

/// Free space and rights as told by the system are not believed: quotas, network mounts and
/// failing disks show themselves only when something is written and synced.
fn probe(dir: &Path) -> State {
    let file = dir.join(".backup-probe");
    let tried = (|| {
        let mut f = OpenOptions::new().write(true).create_new(true).open(&file)?;
        let result = f.write_all(&vec![0xA5; PROBE]).and_then(|()| f.sync_all());
        fs::remove_file(&file)?;
        result
    })();
    match tried {
        Ok(()) => State::Usable,
        Err(e) if e.kind() == ErrorKind::NotFound => State::Missing,
        Err(e) => State::Refused(e),
    }
}

fn main() {
    let mut usable = 0;
    for name in ["a", "b", "c", "d"] {
        let dir = Path::new("targets").join(name);
        match probe(&dir) {
            State::Usable => {
                usable += 1;
                println!("{}: usable", dir.display());
            }
            State::Missing => println!("{}: not there", dir.display()),
            State::Refused(e) => println!("{}: {e}", dir.display()),
        }
    }
    println!("{usable} targets for the backup");
}

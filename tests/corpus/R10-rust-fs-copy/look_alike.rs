//! The umask takes a bit off that is wanted: only chmod can put it back.
use std::fs::{OpenOptions, Permissions};
use std::io::{Result, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

fn main() -> Result<()> {
    for number in 1..=20 {
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o664).open(format!("shared{number}"))?;
        file.set_permissions(Permissions::from_mode(0o664))?;
        file.write_all(&[b'x'; 1000])?;
    }
    println!("files 20");
    Ok(())
}

//! Files of others, read up to a limit: neither a file nor what it expands to may take all memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The variable that raises the limit of records and pages, in MiB.
pub const LIMIT_VARIABLE: &str = "FATHOM_READ_LIMIT_MIB";
/// Five times the largest record that is known.
const USUAL_MIB: u64 = 64;
/// So many bytes of the limit may hold one value: records have some seven bytes for each.
const BYTES_PER_VALUE: u64 = 16;
/// The most that a text may hold which people write: a file of budgets, an entry.
const TEXT_BYTES: u64 = 1 << 20;

/// How much is read of a record, or of a page with records inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLimit {
    mib: u64,
}

impl ReadLimit {
    /// That of a price list, which is far smaller; nothing raises it.
    pub(crate) const LIST: Self = Self { mib: 8 };

    /// The usual one, or what the environment says.
    pub fn from_environment() -> Self {
        let set = std::env::var(LIMIT_VARIABLE).ok().and_then(|text| text.trim().parse().ok());
        Self { mib: set.filter(|mib| (1..1 << 20).contains(mib)).unwrap_or(USUAL_MIB) }
    }

    /// The most bytes.
    pub fn bytes(self) -> u64 {
        self.mib << 20
    }

    /// Checks, before anything is made of it, that a JSON text does not have so many values that
    /// they take far more memory than the text.
    pub fn check_values(self, json: &[u8]) -> io::Result<()> {
        let most = self.bytes() / BYTES_PER_VALUE;
        let count = memchr::memchr3_iter(b',', b':', b'[', json).take(most as usize + 1).count() as u64;
        if count <= most { Ok(()) } else { Err(self.exceeded(&format!("it has more than {most} values"))) }
    }

    /// What is too large, and what raises the limit.
    fn exceeded(self, what: &str) -> io::Error {
        let words = format!("{what} ({LIMIT_VARIABLE} raises the limit, now {})", self.mib);
        io::Error::new(io::ErrorKind::FileTooLarge, words)
    }

    /// Reads a file.
    pub fn read(self, path: &Path) -> io::Result<Vec<u8>> {
        read_at_most(&mut File::open(path)?, self.bytes()).map_err(|error| self.explained(error))
    }

    /// An error that says what raises the limit, where that is what it is about.
    pub fn explained(self, error: io::Error) -> io::Error {
        if error.kind() == io::ErrorKind::FileTooLarge { self.exceeded(&error.to_string()) } else { error }
    }
}

/// Reads a text that people write, as a file of budgets or an entry.
pub fn read_text(path: &Path) -> io::Result<String> {
    text_of(&mut File::open(path)?)
}

/// The same of a file that is open.
pub fn text_of(file: &mut File) -> io::Result<String> {
    let bytes = read_at_most(file, TEXT_BYTES)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Reads until the end; an error of kind `FileTooLarge` where that is too far.
pub(crate) fn read_at_most(from: &mut impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= most_bytes {
        return Ok(bytes);
    }
    let size =
        if most_bytes >= 1 << 20 { format!("{} MiB", most_bytes >> 20) } else { format!("{most_bytes} B") };
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {size}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_at_the_limit_is_read_and_a_larger_one_is_not() {
        assert_eq!(read_at_most(&mut &b"12345"[..], 5).unwrap(), b"12345");
        let error = read_at_most(&mut io::repeat(0), 5).unwrap_err();
        assert_eq!(
            (error.kind(), &*error.to_string()),
            (io::ErrorKind::FileTooLarge, "it is larger than 5 B")
        );
    }

    #[test]
    fn endless_files_end_at_the_limit() {
        let limit = ReadLimit { mib: 1 };
        let error = limit.read(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(error, "it is larger than 1 MiB (FATHOM_READ_LIMIT_MIB raises the limit, now 1)");
        assert_eq!(read_text(Path::new("/dev/zero")).unwrap_err().to_string(), "it is larger than 1 MiB");
    }

    #[test]
    fn values_without_content_count() {
        let limit = ReadLimit { mib: 1 };
        assert!(limit.check_values("[0]".as_bytes()).is_ok());
        let dense = format!("[{}0]", "0,".repeat(70_000));
        let error = limit.check_values(dense.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("it has more than 65536 values ("), "{error}");
    }
}

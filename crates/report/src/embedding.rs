//! Records inside a report: compressed, and found again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use std::io::{self, Read as _, Write as _};

/// The type under which a compressed record is saved.
pub(crate) const MEDIA_TYPE: &str = "application/x-xz";
/// Beyond this nothing of a text is gained.
const PRESET: u32 = 6;
/// What a file compressed by xz begins with.
const XZ_MAGIC: &[u8] = b"\xfd7zXZ\0";
/// A file that takes more memory to expand is not one of ours, which take a sixth of that.
const EXPANDING_MAX_KIB: u32 = 64 << 10;

/// The bytes as a file that `xz -d` reads.
pub(crate) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(PRESET))?;
    writer.write_all(bytes)?;
    writer.finish()
}

/// The bytes for an address.
pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// True of a file that xz compressed.
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(XZ_MAGIC)
}

/// What xz compressed; an error of kind `FileTooLarge` where that is more than `most_bytes`.
pub fn expand(bytes: &[u8], most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut expanded = Vec::new();
    let reader = XzReader::new_mem_limit(bytes, false, EXPANDING_MAX_KIB);
    reader.take(most_bytes + 1).read_to_end(&mut expanded)?;
    if expanded.len() as u64 <= most_bytes {
        return Ok(expanded);
    }
    let words = format!("it expands to more than {} MiB", most_bytes >> 20);
    Err(io::Error::new(io::ErrorKind::FileTooLarge, words))
}

/// The records that a report holds, one after the other, compressed as they are in it.
pub fn embedded_records(report: &str) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    let marker = format!("data:{MEDIA_TYPE};base64,");
    let starts: Vec<usize> = report.match_indices(&marker).map(|(at, _)| at + marker.len()).collect();
    starts.into_iter().map(|start| {
        let rest = &report[start..];
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
            .unwrap_or(rest.len());
        STANDARD.decode(&rest[..end]).map_err(io::Error::other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        let text = "{\"schema_version\": 1}".repeat(1000);
        let packed = compress(text.as_bytes()).unwrap();
        assert!(is_compressed(&packed) && packed.len() < text.len() / 20);
        assert_eq!(expand(&packed, text.len() as u64).unwrap(), text.as_bytes());
        let page = format!("<a href=\"data:{MEDIA_TYPE};base64,{}\">", encode(&packed));
        let inside: Vec<_> = embedded_records(&page).map(Result::unwrap).collect();
        assert_eq!(inside, [packed]);
        assert_eq!(embedded_records("<p>nothing</p>").count(), 0);
    }

    #[test]
    fn what_is_broken_is_an_error() {
        assert!(expand(b"\xfd7zXZ\0 and no more", 1000).is_err());
        let mut inside = embedded_records("data:application/x-xz;base64,A\"");
        assert!(inside.next().unwrap().is_err());
    }

    #[test]
    fn what_expands_beyond_the_limit_is_an_error() {
        let packed = compress(&vec![b' '; 3 << 20]).unwrap();
        assert!(packed.len() < 10_000);
        assert_eq!(expand(&packed, 3 << 20).unwrap().len(), 3 << 20);
        let error = expand(&packed, 2 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it expands to more than 2 MiB");
    }

    #[test]
    fn a_dictionary_that_takes_all_memory_is_refused() {
        let mut packed = compress(b"{}").unwrap();
        // The block's header: its size, flags, the one filter's name, its size, the dictionary's
        // size (40 is 4 GiB), and the checksum over them.
        let header = 12..20;
        assert_eq!(packed[14..16], [0x21, 1], "the filter LZMA2");
        packed[16] = 40;
        let checksum = crc32(&packed[header.clone()]);
        packed[header.end..header.end + 4].copy_from_slice(&checksum.to_le_bytes());
        let error = expand(&packed, 1000).unwrap_err().to_string();
        assert!(error.contains("memory"), "{error}");
    }

    /// As the format has it, bit by bit.
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
                (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 }
            })
        })
    }
}

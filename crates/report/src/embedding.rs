//! Records inside a report: compressed, and found again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use std::io::{Read as _, Write as _};

/// The type under which a compressed record is saved.
pub(crate) const MEDIA_TYPE: &str = "application/x-xz";
/// Beyond this nothing of a text is gained.
const PRESET: u32 = 6;
/// What a file compressed by xz begins with.
const XZ_MAGIC: &[u8] = b"\xfd7zXZ\0";
/// A record that claims to be larger is not read.
const EXPANDED_MAX_BYTES: u64 = 1 << 30;

/// The bytes as a file that `xz -d` reads.
pub(crate) fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
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

/// What xz compressed, up to 1 GiB of it.
pub fn expand(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut expanded = Vec::new();
    XzReader::new(bytes, false).take(EXPANDED_MAX_BYTES).read_to_end(&mut expanded)?;
    Ok(expanded)
}

/// The records that a report holds, as they were before they were put into it.
pub fn embedded_records(report: &str) -> std::io::Result<Vec<Vec<u8>>> {
    let marker = format!("data:{MEDIA_TYPE};base64,");
    let found = report.split(marker.as_str()).skip(1).map(|rest| {
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
            .unwrap_or(rest.len());
        let bytes = STANDARD.decode(&rest[..end]).map_err(std::io::Error::other)?;
        expand(&bytes)
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        let text = "{\"schema_version\": 1}".repeat(1000);
        let packed = compress(text.as_bytes()).unwrap();
        assert!(is_compressed(&packed) && packed.len() < text.len() / 20);
        assert_eq!(expand(&packed).unwrap(), text.as_bytes());
        let page = format!("<a href=\"data:{MEDIA_TYPE};base64,{}\">", encode(&packed));
        assert_eq!(embedded_records(&page).unwrap(), [text.into_bytes()]);
        assert!(embedded_records("<p>nothing</p>").unwrap().is_empty());
    }

    #[test]
    fn what_is_broken_is_an_error() {
        assert!(expand(b"\xfd7zXZ\0 and no more").is_err());
        assert!(embedded_records(&format!("data:{MEDIA_TYPE};base64,AAAA\"")).is_err());
    }
}

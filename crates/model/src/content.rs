//! What the files of a data set hold: any byte can be computed from its offset,
//! so that what a driver delivers is checked without reading the file.

mod config;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The next output of the `SplitMix64` generator for state `x`: the one source of
/// deterministic numbers in the driver protocol.
pub fn splitmix64(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The kind of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// Incompressible: the words of `splitmix64`.
    Random,
    /// A fixed 16-byte text, repeated.
    Pattern,
    /// Lines of a log, of uneven length, one in eight with the word `ERROR`.
    LogLines,
    /// The same log with `ERROR` across every multiple of 4 KiB, where programs cut
    /// files into pieces and parts.
    LogBorders,
    /// A small configuration as JSON, of 1024 bytes, repeated.
    ConfigJson,
    /// The same as YAML.
    ConfigYaml,
    /// The same as TOML.
    ConfigToml,
    /// The page of `drivers/page.template`, of 1024 bytes, repeated.
    Template,
    /// Whatever stands in files of the user's: no rule gives their bytes, and no data set is made of it.
    Own,
}

/// Not a kind of content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown content `{0}`")]
pub struct ContentError(pub String);

/// Log lines are made in chunks of this many bytes, each ending in a newline. No
/// piece in which programs read is a multiple of it: lines cross their borders.
const LOG_CHUNK_BYTES: u64 = 4099;
const PATTERN: &[u8; 16] = b"fathom pattern.\n";
/// What `template` renders; drivers carry the same bytes.
const TEMPLATE: &[u8] = include_bytes!("../../../drivers/page.template");

impl Content {
    /// Every kind that can be made, in the order of the documentation.
    pub const ALL: [Self; 8] = [
        Self::Random,
        Self::Pattern,
        Self::LogLines,
        Self::LogBorders,
        Self::ConfigJson,
        Self::ConfigYaml,
        Self::ConfigToml,
        Self::Template,
    ];

    /// The word used in catalogs and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Pattern => "pattern",
            Self::LogLines => "log-lines",
            Self::LogBorders => "log-borders",
            Self::ConfigJson => "config-json",
            Self::ConfigYaml => "config-yaml",
            Self::ConfigToml => "config-toml",
            Self::Template => "template",
            Self::Own => "your own",
        }
    }

    /// Writes the bytes at `offset` of the file with this `seed` into `buffer`.
    pub fn fill(self, seed: u64, offset: u64, buffer: &mut [u8]) {
        match self {
            Self::Random => fill_random(seed, offset, buffer),
            Self::Pattern => repeat(PATTERN, offset, buffer),
            Self::LogLines => fill_log(seed, offset, buffer),
            Self::LogBorders => fill_borders(seed, offset, buffer),
            Self::ConfigJson => repeat(&config::json(&config::Values::of(seed)), offset, buffer),
            Self::ConfigYaml => repeat(&config::yaml(&config::Values::of(seed)), offset, buffer),
            Self::ConfigToml => repeat(&config::toml(&config::Values::of(seed)), offset, buffer),
            Self::Template => repeat(TEMPLATE, offset, buffer),
            // Never asked for: who has such files reads them.
            Self::Own => buffer.fill(0),
        }
    }

    /// The byte at `offset` of the file with this `seed`.
    pub fn byte(self, seed: u64, offset: u64) -> u8 {
        let mut byte = [0];
        self.fill(seed, offset, &mut byte);
        byte[0]
    }

    /// The length of the document that the content repeats, where a file must
    /// hold exactly one.
    pub fn document_bytes(self) -> Option<u64> {
        match self {
            Self::ConfigJson | Self::ConfigYaml | Self::ConfigToml => Some(config::BYTES as u64),
            Self::Template => Some(TEMPLATE.len() as u64),
            Self::Random | Self::Pattern | Self::LogLines | Self::LogBorders | Self::Own => None,
        }
    }

    /// The sum of the numbers that loading a configuration file with this
    /// `seed` gives; 0 for other content.
    pub fn config_sum(self, seed: u64) -> u64 {
        match self {
            Self::ConfigJson | Self::ConfigYaml | Self::ConfigToml => config::Values::of(seed).sum(),
            Self::Random | Self::Pattern | Self::LogLines | Self::LogBorders | Self::Template | Self::Own => {
                0
            }
        }
    }

    /// The protocol's digest of `length` bytes from `offset`: the sum of the
    /// bytes at `offset`, `offset + 4096`, … below `offset + length`.
    pub fn digest(self, seed: u64, offset: u64, length: u64) -> u64 {
        (0..length.div_ceil(4096)).map(|page| u64::from(self.byte(seed, offset + page * 4096))).sum()
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Content {
    type Err = ContentError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|c| c.word() == word).ok_or_else(|| ContentError(word.to_owned()))
    }
}

/// `text` again and again, from `offset` of the whole.
fn repeat(text: &[u8], offset: u64, buffer: &mut [u8]) {
    let start = usize::try_from(offset % text.len() as u64).expect("below a text's length");
    for (byte, from) in buffer.iter_mut().zip(text.iter().cycle().skip(start)) {
        *byte = *from;
    }
}

fn fill_random(seed: u64, offset: u64, buffer: &mut [u8]) {
    let word_at = |index: u64| splitmix64(seed ^ index.wrapping_mul(0xD134_2543_DE82_EF95)).to_le_bytes();
    let skip = usize::try_from(offset % 8).expect("below 8");
    let head = if skip == 0 { 0 } else { (8 - skip).min(buffer.len()) };
    let (first, rest) = buffer.split_at_mut(head);
    first.copy_from_slice(&word_at(offset / 8)[skip..skip + head]);
    let start = offset.div_ceil(8);
    let mut words = rest.chunks_exact_mut(8);
    let mut index = start;
    for chunk in &mut words {
        chunk.copy_from_slice(&word_at(index));
        index += 1;
    }
    let tail = words.into_remainder();
    let length = tail.len();
    tail.copy_from_slice(&word_at(index)[..length]);
}

fn fill_log(seed: u64, offset: u64, buffer: &mut [u8]) {
    let mut position = offset;
    let mut rest = buffer;
    while !rest.is_empty() {
        let chunk = log_chunk(seed, position / LOG_CHUNK_BYTES);
        let from = usize::try_from(position % LOG_CHUNK_BYTES).expect("below the chunk size");
        let length = rest.len().min(chunk.len() - from);
        let (now, later) = rest.split_at_mut(length);
        now.copy_from_slice(&chunk[from..from + length]);
        position += length as u64;
        rest = later;
    }
}

/// The log with the word written over it, two bytes before and three behind each border.
fn fill_borders(seed: u64, offset: u64, buffer: &mut [u8]) {
    const BORDER_BYTES: u64 = 4096;
    const WORD: &[u8; 5] = b"ERROR";
    fill_log(seed, offset, buffer);
    let end = offset + buffer.len() as u64;
    for border in (offset.saturating_sub(2) / BORDER_BYTES).max(1)..=(end + 1) / BORDER_BYTES {
        for (byte, position) in WORD.iter().zip(border * BORDER_BYTES - 2..) {
            if (offset..end).contains(&position) {
                buffer[usize::try_from(position - offset).expect("inside the buffer")] = *byte;
            }
        }
    }
}

/// One chunk of whole lines; the last line is padded to end the chunk.
fn log_chunk(seed: u64, chunk: u64) -> Vec<u8> {
    const SIZE: usize = 4099;
    const LONGEST: usize = 160;
    let mut text = Vec::with_capacity(SIZE + LONGEST);
    let mut line = 0_u64;
    loop {
        let draw = splitmix64(seed ^ chunk.wrapping_mul(0xA24B_AED4_963E_E407) ^ line);
        let before = text.len();
        push_log_line(&mut text, draw);
        if text.len() > SIZE - LONGEST {
            // The line that reaches the end is cut or padded so that it ends the chunk.
            text.truncate(SIZE - 1);
            text.resize(SIZE - 1, b'.');
            if text.len() > before {
                // A newline in the padded stretch would make a second line.
                let end = text.len();
                for byte in &mut text[before..end] {
                    if *byte == b'\n' {
                        *byte = b'.';
                    }
                }
            }
            text.push(b'\n');
            return text;
        }
        line += 1;
    }
}

/// One line, by hand: `format!` is seven times slower, and files of gigabytes are made of them.
fn push_log_line(text: &mut Vec<u8>, draw: u64) {
    let digit =
        |place: usize| b"0123456789abcdef"[usize::try_from(draw >> (60 - 4 * place) & 15).expect("below 16")];
    let digits: [u8; 16] = std::array::from_fn(digit);
    let padding = usize::try_from((draw >> 8) % 64).expect("below 64");
    text.extend_from_slice(b"2026-11-20T10:00:00Z ");
    text.extend_from_slice(if draw.is_multiple_of(8) { b"ERROR" } else { b"INFO " });
    text.extend_from_slice(b" request=");
    text.extend_from_slice(&digits);
    text.push(b' ');
    text.resize(text.len() + padding, b'x');
    text.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_reads_as_its_format_says() {
        for draw in [0, 1, 8, 0x0123_4567_89ab_cdef, u64::MAX] {
            let level = if draw % 8 == 0 { "ERROR" } else { "INFO " };
            let padding = usize::try_from((draw >> 8) % 64).unwrap();
            let expected = format!("2026-11-20T10:00:00Z {level} request={draw:016x} {:x<padding$}\n", "");
            let mut line = Vec::new();
            push_log_line(&mut line, draw);
            assert_eq!(String::from_utf8(line).unwrap(), expected);
        }
    }

    #[test]
    fn any_stretch_equals_the_same_stretch_of_the_whole() {
        for content in Content::ALL {
            let mut whole = vec![0; 20_000];
            content.fill(7, 0, &mut whole);
            for (offset, length) in [(0, 1), (1, 7), (3, 4096), (4095, 2), (8192, 9000), (12_345, 655)] {
                let mut part = vec![0; length];
                content.fill(7, offset as u64, &mut part);
                assert_eq!(part, whole[offset..offset + length], "{content} at {offset}");
            }
        }
    }

    #[test]
    fn splitmix_equals_the_published_sequence_for_seed_1234567() {
        // Steele, Lea and Flood's generator; reference output of the public-domain C code.
        let seed: u64 = 1_234_567;
        let step = 0x9E37_79B9_7F4A_7C15_u64;
        let got: Vec<u64> = (0..3).map(|i| splitmix64(seed.wrapping_add(step.wrapping_mul(i)))).collect();
        assert_eq!(got, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn log_lines_end_every_chunk_and_some_hold_the_word() {
        let mut text = vec![0; 64 * 4099];
        Content::LogLines.fill(1, 0, &mut text);
        assert!(text.chunks(4099).all(|chunk| chunk.last() == Some(&b'\n')));
        let lines: Vec<_> = text.split(|&b| b == b'\n').collect();
        let lengths: std::collections::BTreeSet<_> = lines.iter().map(|line| line.len()).collect();
        assert!(lengths.len() > 20, "lines are of uneven length");
        let errors = lines.iter().filter(|l| l.windows(5).any(|w| w == b"ERROR")).count();
        assert!(errors * 16 > lines.len() && errors * 4 < lines.len(), "{errors} of {}", lines.len());
    }

    #[test]
    fn lines_of_a_log_cross_the_borders_of_pages() {
        let mut text = vec![0; 64 * 4096];
        Content::LogLines.fill(1, 0, &mut text);
        let whole = text.chunks(4096).filter(|page| page.last() == Some(&b'\n')).count();
        assert!(whole < 8, "{whole} of 64 pages end with a line");
    }

    #[test]
    fn every_border_of_a_page_is_inside_a_word_and_the_rest_is_the_log() {
        let (mut text, mut log) = (vec![0; 64 * 4096 + 2], vec![0; 64 * 4096 + 2]);
        Content::LogBorders.fill(9, 0, &mut text);
        Content::LogLines.fill(9, 0, &mut log);
        for border in (4096..64 * 4096).step_by(4096) {
            assert_eq!(&text[border - 2..border + 3], b"ERROR", "{border}");
            assert_eq!(text[border + 3..border + 4094], log[border + 3..border + 4094], "{border}");
        }
        // The file's end may cut a word too: it is none then.
        assert_eq!((&text[64 * 4096 - 2..], &text[..4094]), (&b"ERRO"[..], &log[..4094]));
    }

    #[test]
    fn the_digest_takes_a_byte_of_every_page() {
        let expected = u64::from(Content::Random.byte(3, 10)) + u64::from(Content::Random.byte(3, 4106));
        assert_eq!(Content::Random.digest(3, 10, 4097), expected);
        assert_eq!(Content::Random.digest(3, 10, 0), 0);
    }
}

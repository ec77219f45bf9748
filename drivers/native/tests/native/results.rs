//! Operations whose answer is not the file itself: lines, search and hash of every shape, files
//! that change, and opens for writing.

use crate::conversation::{Conversation, Data, crc32, methods_of};
use std::fs;
use std::path::PathBuf;

/// What one operation answers.
#[derive(Debug, Clone)]
struct Answer {
    bytes: u64,
    digest: u64,
    /// What the operation counts, with the answer's word for it.
    count: Option<(&'static str, u64)>,
    /// What `verify` takes the CRC of.
    shown: Vec<u8>,
}

/// Every method of an operation on the same files; `expected` has each file's answer.
fn check_all(operation: &str, extra: &str, paths: &[PathBuf], expected: &[Answer]) {
    let size = fs::metadata(&paths[0]).map_or(0, |file| file.len());
    for method in methods_of(operation) {
        let arguments = format!("--operation {operation} --method {method} --size {size} {extra}");
        let mut driver = Conversation::start(&arguments, paths);
        let shown = &expected[0].shown;
        let verified = format!("verified bytes={} crc32={:08x}", expected[0].bytes, crc32(shown));
        assert_eq!(driver.ask("verify"), verified, "{arguments}");
        let check = |answer: &std::collections::BTreeMap<String, u64>, range: std::ops::Range<usize>| {
            let answers: Vec<&Answer> = range.map(|k| &expected[k % expected.len()]).collect();
            assert_eq!(answer["bytes"], answers.iter().map(|a| a.bytes).sum::<u64>(), "{arguments}");
            let digest = answers.iter().fold(0_u64, |sum, a| sum.wrapping_add(a.digest));
            assert_eq!(answer["digest"], digest, "{arguments}");
            for word in ["lines", "matches"] {
                let counts = || answers.iter().filter_map(|a| a.count).filter(|(of, _)| *of == word);
                let sum = counts().next().map(|_| counts().map(|(_, count)| count).sum());
                assert_eq!(answer.get(word).copied(), sum, "{arguments}");
            }
        };
        check(&driver.done("batch 5"), 0..5);
        assert_eq!(driver.ask("release"), "released");
        check(&driver.done("batch 2 preroll=3"), 8..10);
        assert_eq!(driver.ask("verify"), verified, "{arguments}");
        driver.quit();
    }
}

fn check_files(operation: &str, extra: &str, contents: &[&[u8]], answer: impl Fn(&[u8]) -> Answer) {
    let data = Data::of(contents.iter().map(|content| content.to_vec()).collect());
    let answers: Vec<Answer> = data.contents.iter().map(|content| answer(content)).collect();
    check_all(operation, extra, &data.paths, &answers);
}

#[test]
fn opening_for_writing_neither_creates_nor_truncates() {
    let data = Data::new(2, 100);
    let nothing = Answer { bytes: 0, digest: 0, count: None, shown: Vec::new() };
    check_all("open-write-close", "", &data.paths, &[nothing]);
    assert_eq!(fs::read(&data.paths[1]).unwrap(), data.contents[1]);
    let missing = data.directory().join("none");
    for method in methods_of("open-write-close").into_iter().filter(|method| method != "null") {
        let arguments = format!("--operation open-write-close --method {method}");
        let mut driver = Conversation::start(&arguments, std::slice::from_ref(&missing));
        assert!(driver.ask("batch 1").contains(" errno=ENOENT "), "{method}");
        assert!(!missing.exists(), "{method}");
        driver.quit();
    }
}

#[test]
fn lines_are_found_in_any_bytes() {
    let answer = |content: &[u8]| {
        let mut lines: Vec<&[u8]> = content.split(|&byte| byte == b'\n').collect();
        lines.pop_if(|last| last.is_empty());
        Answer {
            bytes: lines.iter().map(|line| line.len() as u64).sum(),
            digest: lines.iter().filter_map(|line| line.first()).map(|&byte| u64::from(byte)).sum(),
            count: Some(("lines", lines.len() as u64)),
            shown: lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect(),
        }
    };
    let long = [vec![b'x'; 100_000], b"\ny".to_vec()].concat();
    let random = Data::new(1, 50_000).contents.remove(0);
    for extra in ["", "--buffer fresh"] {
        check_files("lines", extra, &[b""], answer);
        check_files("lines", extra, &[b"\n\n\na", b"\n", b"a\r\n\0\n\xff\n"], answer);
        check_files("lines", extra, &[&random, &long], answer);
    }
}

#[test]
fn search_finds_every_word_however_the_work_is_shared() {
    let words = "ERRORERROR and an ERROR ERRO\nR ERR".repeat(9).into_bytes();
    for word in ["ERROR", "RR", "R", "ERRORERROR"] {
        let answer = |content: &[u8]| {
            let found = content.windows(word.len()).filter(|part| *part == word.as_bytes()).count() as u64;
            let shown = found.to_string().into_bytes();
            Answer { bytes: content.len() as u64, digest: found, count: Some(("matches", found)), shown }
        };
        for extra in ["", "--threads 2 --block 1", "--threads 3 --block 7 --buffer fresh", "--threads 7"] {
            let extra = format!("{extra} --word {word}");
            check_files("search", &extra, &[&words, b"", b"ERROR"], answer);
        }
    }
}

#[test]
fn hashes_are_those_of_the_whole_file_by_pieces_of_any_size() {
    let answer = |bytes: &[u8], value: &[u8]| Answer {
        bytes: bytes.len() as u64,
        digest: u64::from_be_bytes(*value.first_chunk().unwrap()),
        count: None,
        shown: value.to_vec(),
    };
    // Of RFC 1321's test suite, and known values of XXH64.
    let digits = "1234567890".repeat(8).into_bytes();
    let md5: [(&[u8], u128); 3] = [
        (b"", 0xd41d_8cd9_8f00_b204_e980_0998_ecf8_427e),
        (b"message digest", 0xf96b_697d_7cb7_938d_525a_2f31_aaf1_61d0),
        (&digits, 0x57ed_f4a2_2be3_c955_ac49_da2e_2107_b67a),
    ];
    let xxh64: [(&[u8], u64); 3] = [
        (b"", 0xef46_db37_51d8_e999),
        (b"abc", 0x44bc_2cf5_ad77_0999),
        (b"Nobody inspects the spammish repetition", 0xfbce_a83c_8a37_8bf1),
    ];
    for block in ["", "--block 1", "--block 33 --buffer fresh"] {
        for (content, value) in md5 {
            check_files("hash", block, &[content], |content| answer(content, &value.to_be_bytes()));
        }
        let extra = format!("{block} --algorithm xxh64");
        for (content, value) in xxh64 {
            check_files("hash", &extra, &[content], |content| answer(content, &value.to_be_bytes()));
        }
    }
}

#[test]
fn a_file_that_changes_is_reloaded() {
    for method in methods_of("reload").into_iter().filter(|method| method != "null") {
        let data = Data::new(1, 10);
        let arguments = format!("--operation reload --method {method} --size 10");
        let mut driver = Conversation::start(&arguments, &data.paths);
        assert_eq!(driver.done("batch 2")["bytes"], 20, "{method}");
        fs::write(&data.paths[0], [7; 33]).unwrap();
        let answer = driver.done("batch 2");
        assert_eq!((answer["bytes"], answer["digest"]), (66, 14), "{method}");
        driver.quit();
    }
}

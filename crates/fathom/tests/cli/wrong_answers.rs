//! Programs that were published and answer wrongly: what they answer is
//! predicted exactly from the file's bytes, and the fair forms give the truth.
//! The models are written here from what the programs do, not taken from them.

use crate::capability::{Capability, has};
use crate::pages::output_of;
use crate::sandbox::Sandbox;
use fathom_lab::data_set::file_seed;
use fathom_model::{Comparison, Content};

const SEED: u64 = 7;
const WORD: &[u8] = b"ERROR";
const WORKERS: [usize; 5] = [1, 2, 3, 4, 7];
/// The buffer that the published program gives its Scanner.
const SCANNER_BYTES: usize = 64 * 1024;
/// The pieces in which the other one reads lines.
const PIECE_BYTES: usize = 4096;

fn content(kind: Content, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    kind.fill(file_seed(SEED, 0), 0, &mut bytes);
    bytes
}

fn occurrences(text: &[u8]) -> u64 {
    text.windows(WORD.len()).filter(|window| *window == WORD).count() as u64
}

/// One pread per worker: what is cut at the border of two parts is lost, and so
/// is what lies behind the last whole part.
fn pread_quarters(text: &[u8], workers: usize) -> u64 {
    let part = text.len() / workers;
    (0..workers).map(|worker| occurrences(&text[worker * part..(worker + 1) * part])).sum()
}

/// A Scanner per worker, from the start of its part, stopped as soon as the
/// *file position* has passed the part's end, although the Scanner still holds
/// lines that it read ahead. A line counts once however often it holds the word.
fn seek_and_scan(text: &[u8], workers: usize) -> u64 {
    let part = text.len() / workers;
    (0..workers).map(|worker| scan_part(text, worker * part, (worker + 1) * part)).sum()
}

fn scan_part(text: &[u8], start: usize, end: usize) -> u64 {
    let (mut at, mut read, mut ended, mut count) = (start, start, false, 0);
    loop {
        let line = match text[at..read].iter().position(|&byte| byte == b'\n') {
            Some(length) => {
                let line = &text[at..at + length];
                at += length + 1;
                line
            }
            None if ended && at < read => {
                let line = &text[at..read];
                at = read;
                line
            }
            // The buffer is full without a line: the Scanner gives up.
            None if ended || read - at == SCANNER_BYTES => return count,
            None => {
                let more = (SCANNER_BYTES - (read - at)).min(text.len() - read);
                read += more;
                ended = more == 0;
                continue;
            }
        };
        count += u64::from(occurrences(line) > 0);
        if read >= end {
            return count;
        }
    }
}

/// A Scanner per piece: a line cut by the border of two pieces is two.
fn lines_by_piece(text: &[u8]) -> u64 {
    text.chunks(PIECE_BYTES).map(lines).sum()
}

/// The program that joins lines until one is empty: how many records it hands on. An empty line
/// stands at the start of a piece, or behind another newline.
fn records(text: &[u8]) -> u64 {
    let of_piece = |piece: &[u8]| {
        piece
            .strip_suffix(b"\n")
            .unwrap_or(piece)
            .split(|&byte| byte == b'\n')
            .filter(|line| matches!(line, [] | [b'\r']))
            .count() as u64
    };
    text.chunks(PIECE_BYTES).map(of_piece).sum()
}

#[expect(clippy::naive_bytecount, reason = "a model, to be read")]
fn lines(text: &[u8]) -> u64 {
    let ends = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    ends + u64::from(text.last().is_some_and(|&last| last != b'\n'))
}

/// What a method answered, and the truth it stands beside.
fn answered(comparison: &Comparison, method: &str) -> (u64, u64, bool) {
    let at = comparison.variants.iter().position(|variant| variant.method.to_string() == method).unwrap();
    let answer = &comparison.answers[at];
    (answer.found, answer.expected, answer.flaw.is_some())
}

fn bench(operation: &str, methods: &[&str], content: Content, size: usize, more: &str) -> Vec<Comparison> {
    let sandbox = Sandbox::new();
    let methods = methods.join(",");
    output_of(
        &sandbox,
        &format!(
            "bench {operation} --methods {methods} --content {content} --size {size} --seed {SEED} {more} \
             --counts-only -o record.json"
        ),
    );
    sandbox.record("record.json").experiments.swap_remove(0).comparisons
}

/// A size at which the border of two parts cuts a word, so that reading by parts
/// really loses one; most sizes happen to lose none.
fn size_that_cuts_a_word(workers: usize) -> usize {
    let text = content(Content::LogLines, 300_000);
    let cuts = |size: &usize| pread_quarters(&text[..*size], workers) < occurrences(&text[..*size]);
    (150_000..300_000).find(cuts).expect("one of so many sizes")
}

#[test]
#[ignore = "long"]
fn searches_as_published_lose_what_a_model_predicts_and_fair_ones_lose_nothing() {
    if !has(Capability::Go) {
        return;
    }
    let flawed = ["go:pread-quarters", "go:open+Seek+Scanner"];
    let fair = [
        "go:pread+regexp",
        "go:pread+string+regexp",
        "go:open+Seek+bufio+regexp",
        "go:mmap+regexp",
        "native:pread",
        "native:mmap",
    ];
    for workers in WORKERS {
        let size = if workers == 1 { 150_003 } else { size_that_cuts_a_word(workers) };
        let text = content(Content::LogLines, size);
        let truth = occurrences(&text);
        let methods: Vec<_> = flawed.into_iter().chain(fair).collect();
        let comparisons = bench("search", &methods, Content::LogLines, size, &format!("--threads {workers}"));
        let [comparison] = comparisons.as_slice() else { panic!("one comparison") };
        for (method, predicted) in
            flawed.into_iter().zip([pread_quarters(&text, workers), seek_and_scan(&text, workers)])
        {
            assert_eq!(answered(comparison, method), (predicted, truth, true), "{method}, {workers} workers");
        }
        for method in fair {
            assert_eq!(answered(comparison, method), (truth, truth, false), "{method}, {workers} workers");
        }
        if workers > 1 {
            assert!(pread_quarters(&text, workers) < truth && seek_and_scan(&text, workers) < truth);
        }
    }
}

/// The shipped log: four parts end on multiples of 4 KiB, and three bytes belong to none of them.
#[test]
#[ignore = "long"]
fn the_log_with_words_across_borders_loses_one_at_each_part_and_one_at_the_end() {
    if !has(Capability::Go) {
        return;
    }
    let size = 4 * 4096 * 20 + 3;
    let text = content(Content::LogBorders, size);
    let truth = occurrences(&text);
    let methods = ["go:pread-quarters", "go:open+Seek+Scanner", "go:pread+string+regexp"];
    let comparisons = bench("search", &methods, Content::LogBorders, size, "--threads 4");
    let [comparison] = comparisons.as_slice() else { panic!("one comparison") };
    assert_eq!(answered(comparison, methods[0]), (truth - 4, truth, true));
    assert_eq!(answered(comparison, methods[1]), (seek_and_scan(&text, 4), truth, true));
    assert_eq!(answered(comparison, methods[2]), (truth, truth, false));
    assert!(seek_and_scan(&text, 4) < truth - 4, "lines with the word twice count once");
}

#[test]
#[ignore = "long"]
fn lines_as_published_are_cut_as_a_model_predicts_and_fair_ones_are_whole() {
    if !has(Capability::Go) {
        return;
    }
    let flawed = ["go:pread-4KiB+Scanner", "go:pread-4KiB+Scanner+gather"];
    let fair = ["go:os.Open+Scanner", "go:os.Open+ReadSlice", "native:getline", "native:mmap+memchr"];
    for (kind, size) in
        [(Content::Random, 300_000), (Content::LogLines, 300_001), (Content::LogLines, PIECE_BYTES)]
    {
        let text = content(kind, size);
        let (truth, predicted) = (lines(&text), lines_by_piece(&text));
        let methods: Vec<_> = flawed.into_iter().chain(fair).collect();
        let comparisons = bench("lines", &methods, kind, size, "");
        let [comparison] = comparisons.as_slice() else { panic!("one comparison") };
        for (method, predicted) in flawed.into_iter().zip([predicted, records(&text)]) {
            assert_eq!(answered(comparison, method), (predicted, truth, true), "{method}, {size} {kind}");
        }
        for method in fair {
            assert_eq!(answered(comparison, method), (truth, truth, false), "{method}, {size} {kind}");
        }
        assert_eq!(predicted > truth, size > PIECE_BYTES, "{size} {kind}: {predicted} of {truth}");
    }
}

#[test]
fn a_wrong_answer_is_told_with_its_size_and_cause() {
    if !has(Capability::Go) {
        return;
    }
    let sandbox = Sandbox::new();
    let text = output_of(
        &sandbox,
        "bench lines --methods go:pread-4KiB+Scanner,go:os.Open+Scanner --content random --size 300000 \
         --seed 7 --counts-only -o record.json",
    );
    let bytes = content(Content::Random, 300_000);
    let (truth, predicted) = (lines(&bytes), lines_by_piece(&bytes));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [format!("{predicted} lines of {truth}"), format!("{} too many", predicted - truth)] {
        let plain = flat.replace(',', "");
        assert!(plain.contains(&said), "{said}: {text}");
    }
}

//! Files that find mistakes: lines of every shape, words on every border, a file shorter than the
//! driver was told, a directory, and a file that changes.

use super::ANSWER_LIMIT;
use super::exercises::{Fault, plain_arguments};
use super::subjects::{BLOCK, OFFSET_SEED};
use crate::data::file_bytes::FileBytes;
use crate::data::own_files::OwnFiles;
use crate::drivers::driver_set::Driver;
use crate::processes::expected::Expected;
use crate::processes::process::DriverProcess;
use crate::processes::protocol::{Answer, Batch, RunArguments};
use fathom_model::{AnswerKind, BufferUse, MethodDescription, Operation, Setting, SettingValue, Transfer};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long a method that waits to hear of a change may hold what the file was.
const CHANGE_LIMIT: Duration = Duration::from_secs(20);

/// A page and some bytes.
const SHORT_BYTES: usize = 5000;

/// One batch of one operation.
const ONE: Batch = Batch { slot: 0, operations: 1, preroll: 0 };

/// How a method is asked about the files, all in one process.
struct Form {
    label: &'static str,
    threads: u64,
    block_bytes: u64,
    buffer: BufferUse,
    word: &'static str,
    /// `verify` speaks of the first file: another one is first.
    is_reversed: bool,
}

const LINES: Form = Form {
    label: "lines of every shape, a block of 1 B",
    threads: 1,
    block_bytes: 1,
    buffer: BufferUse::Reused,
    word: "ERROR",
    is_reversed: false,
};

const LINE_FORMS: [Form; 3] = [
    LINES,
    Form { label: "lines of every shape, a block of 8191 B", block_bytes: 8191, is_reversed: true, ..LINES },
    Form {
        label: "lines of every shape, a fresh buffer",
        block_bytes: 65536,
        buffer: BufferUse::Fresh,
        ..LINES
    },
];

const WORDS: Form = Form { label: "words on every border, a block of 1 B", is_reversed: true, ..LINES };

const WORD_FORMS: [Form; 6] = [
    WORDS,
    Form { label: "words on every border, a block of 64 KiB", block_bytes: 65536, ..WORDS },
    Form { label: "words on every border, 2 threads", threads: 2, block_bytes: 7, ..WORDS },
    Form {
        label: "words on every border, 3 threads, one letter",
        threads: 3,
        block_bytes: 64,
        word: "R",
        ..WORDS
    },
    Form { label: "words on every border, 5 threads, blocks of 2 B", threads: 5, block_bytes: 2, ..WORDS },
    Form {
        label: "words on every border, 16 threads, a fresh buffer",
        threads: 16,
        block_bytes: 4096,
        buffer: BufferUse::Fresh,
        ..WORDS
    },
];

/// What a check is called, and what it showed.
pub(super) type Shown = (String, Result<(), Fault>);

/// Everything of this file that concerns an operation of a method. A method with a known flaw may
/// answer these wrongly.
pub(super) fn checks(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    folder: &Path,
    stop: &AtomicBool,
) -> Vec<Shown> {
    if method.flaw.is_some() {
        return Vec::new();
    }
    let facts = operation.facts();
    let forms: &[Form] = match facts.answer {
        AnswerKind::Lines => &LINE_FORMS,
        AnswerKind::Matches => &WORD_FORMS,
        _ => &[],
    };
    let in_forms = forms
        .iter()
        .map(|form| (form.label.to_owned(), in_form(driver, method, operation, form, folder, stop)));
    let mut all: Vec<Shown> = in_forms.collect();
    if method.name == "null" {
        return all;
    }
    match (facts.transfers, facts.answer) {
        (Transfer::Block, AnswerKind::Data) => {
            let label =
                "a file shorter than --size is an error or delivers fewer bytes, and the driver goes on";
            all.push((label.to_owned(), short_file(driver, method, operation, folder, stop)));
        }
        (Transfer::File, AnswerKind::Data) => {
            let label = "a directory is an error, and the driver goes on";
            all.push((label.to_owned(), directory(driver, method, operation, folder, stop)));
        }
        (_, AnswerKind::HeldData) => {
            let label = "what changes is held as it is";
            all.push((label.to_owned(), changes(driver, method, operation, folder, stop)));
        }
        _ => {}
    }
    all
}

fn in_form(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    form: &Form,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let contents = match operation.facts().answer {
        AnswerKind::Lines => lines_of_every_shape(),
        _ => words_on_every_border(),
    };
    let mut paths = Vec::new();
    for (number, content) in contents.iter().enumerate() {
        let path = folder.join(format!("{operation}-shape-{number}"));
        fs::write(&path, content)?;
        paths.push(path);
    }
    if form.is_reversed {
        paths.reverse();
    }
    let mut arguments = plain_arguments(operation, &method.name, paths[0].clone());
    arguments.paths = paths;
    arguments.size_bytes = contents.iter().map(Vec::len).min().unwrap_or(0) as u64;
    let parameters = &mut arguments.parameters;
    (parameters.block_bytes, parameters.buffer) = (form.block_bytes, form.buffer);
    if Setting::Threads.concerns(operation) {
        parameters.settings.set(Setting::Threads, SettingValue::Number(form.threads));
    }
    if Setting::Pattern.concerns(operation) {
        parameters.settings.set(Setting::Pattern, form.word.into());
    }
    answers_for_each(driver, &arguments, stop)
}

/// The answer for each file alone, `verify` for the first, and all again after `release`.
fn answers_for_each(driver: &Driver, arguments: &RunArguments, stop: &AtomicBool) -> Result<(), Fault> {
    let wrong = |error: &dyn std::fmt::Display| Fault::Wrong(error.to_string());
    let files = OwnFiles::named(&arguments.paths).map_err(|error| wrong(&error))?;
    let bytes = files.files().iter().cloned().map(FileBytes::Own).collect();
    let expected = Expected::new(arguments.operation, &arguments.parameters, bytes, OFFSET_SEED)?;
    let mut process = start(driver, arguments, stop)?;
    let verified = process.verify(0)?;
    let crc32 = expected.crc32().map_err(|error| wrong(&error))?;
    if (verified.bytes, verified.crc32) != (expected.bytes_per_operation(), crc32) {
        return Err(Fault::Wrong(format!("verify gave crc32 {:08x}, must be {crc32:08x}", verified.crc32)));
    }
    let count = arguments.paths.len() as u64;
    for number in 0..2 * count {
        if number == count {
            process.release()?;
        }
        let done = process.batch(ONE)?;
        expected.check(&done, number, 1).map_err(|error| {
            let path = &arguments.paths[usize::try_from(number % count).expect("below a number of paths")];
            Fault::Wrong(format!("{error}, {}", path.display()))
        })?;
    }
    process.quit()?;
    Ok(())
}

fn start<'a>(
    driver: &Driver,
    arguments: &RunArguments,
    stop: &'a AtomicBool,
) -> Result<DriverProcess<'a>, Fault> {
    let mut process = DriverProcess::start(driver, arguments, 0, stop)?;
    process.limit_answers(ANSWER_LIMIT);
    Ok(process)
}

/// Empty lines, lines longer than any buffer and as long as one, a last line with and without its
/// newline. No carriage returns, zero bytes and bytes above 127: what is a line then, and how long,
/// is for the language to say.
fn lines_of_every_shape() -> Vec<Vec<u8>> {
    let line = |length: usize| vec![b'x'; length];
    vec![
        [&b"one\n"[..], &line(300_000), b"\n\nlast"].concat(),
        b"\n".to_vec(),
        b"a".to_vec(),
        b"\n\na\n\n".to_vec(),
        [&line(65_535)[..], b"\nERROR\n"].concat(),
        [&line(65_536)[..], b"\nERROR"].concat(),
        [&b"ERROR\n"[..], &line(65_535)].concat(),
        [&line(8192)[..], b"\n\n"].concat(),
        [&line(4095)[..], b"\n", &line(4096), b"\n"].concat(),
        b"an ERROR, a line".repeat(20_000),
        b"line of text 12345\n".repeat(20_000),
        b"\n\x01a\n\nb".to_vec(),
        b" a\t\n\t\n  \n b ".to_vec(),
    ]
}

/// The word at the ends, alone, cut off, one after another, and over borders of pages and buffers.
fn words_on_every_border() -> Vec<Vec<u8>> {
    let filler = |length: usize| vec![b'.'; length];
    let mut pages = filler(3 * 4096);
    for border in [4096, 2 * 4096] {
        pages[border - 2..border + 3].copy_from_slice(b"ERROR");
    }
    vec![
        [&filler(65_534)[..], b"ERROR", &filler(65_528), b"ERRORERR"].concat(),
        Vec::new(),
        b"E".to_vec(),
        b"ERROR".to_vec(),
        b"ERRORERROR".to_vec(),
        b".ERROR".to_vec(),
        b"ERRO\nRROR".to_vec(),
        b"ERRORERROR and an ERROR ERRO\nR ERR".repeat(9),
        [&[b'E'; 9000][..], b"RROR"].concat(),
        [&filler(29_998)[..], b"ERROR", &filler(29_995), b"ERROR"].concat(),
        pages,
        b"\nERROR".repeat(3_001),
        b"ab\nERROR".repeat(8)[..59].to_vec(),
    ]
}

/// A file of a page and some bytes, which the driver is told has five pages: what is missing is
/// an error, or is not counted.
fn short_file(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let path = folder.join("a short file");
    fs::write(&path, vec![b'x'; SHORT_BYTES])?;
    let mut arguments = plain_arguments(operation, &method.name, path.clone());
    arguments.size_bytes = 5 * BLOCK;
    arguments.parameters.access = fathom_model::Access::Sequential;
    is_error(driver, &arguments, "batch 5", SHORT_BYTES, stop)
}

/// A directory where a file was to be read.
fn directory(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let path = folder.join("a directory");
    fs::create_dir_all(&path)?;
    is_error(driver, &plain_arguments(operation, &method.name, path), "batch 1", 0, stop)
}

/// The answer is an error on the path, or so many bytes where there are some, and the driver goes on.
fn is_error(
    driver: &Driver,
    arguments: &RunArguments,
    line: &str,
    bytes: usize,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let path = &arguments.paths[0];
    let mut process = match start(driver, arguments, stop) {
        // It found out while it prepared.
        Err(Fault::Wrong(how)) if how.contains(&*path.to_string_lossy()) => return Ok(()),
        started => started?,
    };
    match process.ask(line)? {
        Answer::Error(error) if Path::new(&error.path) == path => {}
        Answer::Done(done) if bytes > 0 && done.bytes == bytes as u64 => {}
        other => return Err(Fault::Wrong(format!("answered {other:?}"))),
    }
    match process.ask("release")? {
        Answer::Released => Ok(()),
        other => Err(Fault::Wrong(format!("after the error it answered {other:?}"))),
    }
}

/// A file that is written in place, replaced, and changed after `release`: what is held is either
/// what it was or what it is, and soon what it is.
fn changes(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let path = folder.join(format!("{operation}-changes"));
    fs::write(&path, "one")?;
    let mut arguments = plain_arguments(operation, &method.name, path.clone());
    arguments.size_bytes = 3;
    let mut process = start(driver, &arguments, stop)?;
    holds(&mut process, "one", "one")?;
    fs::write(&path, "two!")?;
    holds(&mut process, "one", "two!")?;
    replace(&path, folder.join("another"), "three")?;
    holds(&mut process, "two!", "three")?;
    process.release()?;
    replace(&path, folder.join("another"), "fourth")?;
    holds(&mut process, "three", "fourth")?;
    process.quit()?;
    Ok(())
}

fn replace(path: &Path, other: PathBuf, text: &str) -> std::io::Result<()> {
    fs::write(&other, text)?;
    fs::rename(other, path)
}

/// The text is held from some moment on, and before it what was there.
fn holds(process: &mut DriverProcess<'_>, before: &str, now: &str) -> Result<(), Fault> {
    let begun = Instant::now();
    loop {
        let held = process.verify(0)?;
        if (held.bytes, held.crc32) == (now.len() as u64, crc32fast::hash(now.as_bytes())) {
            break;
        }
        if held.crc32 != crc32fast::hash(before.as_bytes()) {
            return Err(Fault::Wrong(format!("it holds neither `{before}` nor `{now}`")));
        }
        if begun.elapsed() > CHANGE_LIMIT {
            return Err(Fault::Wrong(format!("it holds `{before}` where the file holds `{now}`")));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let done = process.batch(Batch { operations: 2, ..ONE })?;
    let right = (2 * now.len() as u64, 2 * u64::from(now.as_bytes()[0]));
    if (done.bytes, done.digest) == right {
        return Ok(());
    }
    Err(Fault::Wrong(format!("two operations on `{now}` delivered {} bytes", done.bytes)))
}

use super::*;
use fathom_model::{Content, SettingValue};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Two programs that make the mistakes of the published ones, written for this
/// test. They know nothing of drivers and predictions.
const PROGRAM: &str = include_str!("tests/mistaken.go.txt");

/// The answers of the programs: for each file, for each number of workers both
/// counts, then what the reader of lines did.
fn answers(files: &[Vec<u8>], word: &str, workers: &[u64]) -> Option<Vec<Vec<u64>>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("main.go"), PROGRAM).unwrap();
    let mut arguments =
        vec![word.to_owned(), workers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")];
    for (number, bytes) in files.iter().enumerate() {
        let path = folder.path().join(format!("file{number}"));
        std::fs::write(&path, bytes).unwrap();
        arguments.push(path.display().to_string());
    }
    let found = Command::new("go").args(["run", "main.go"]).args(&arguments).current_dir(&folder).output();
    let Ok(output) = found else {
        eprintln!("skipped: there is no go here");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect()).collect())
}

fn own(folder: &Path, number: usize, bytes: &[u8]) -> FileBytes {
    let path = folder.join(format!("own{number}"));
    std::fs::write(&path, bytes).unwrap();
    let files = crate::data::own_files::OwnFiles::named(&[path]).unwrap();
    FileBytes::Own(Arc::clone(&files.files()[0]))
}

fn predicted(name: &str, operation: Operation, file: &FileBytes, word: &str, workers: u64) -> Option<Answer> {
    let mut settings = Settings::default();
    settings.set(Setting::Pattern, word.into());
    settings.set(Setting::Threads, SettingValue::Number(workers));
    predict(&format!("go:{name}").parse().unwrap(), operation, file, &settings).unwrap()
}

/// Files that find mistakes: of random lines with `word` in some of them, twice in a few, of
/// uneven length, some empty, some longer than a Scanner takes, with carriage returns or without.
fn random_files(word: &str, count: u64) -> Vec<Vec<u8>> {
    let lengths = [0, 1, 3, 40, 4095, 4096, 4097, 65_535, 65_536, 65_537, 200_000, 400_011];
    (0..count)
        .map(|number| {
            let mut state = fathom_model::splitmix64(number);
            let mut draw = |below: u64| {
                state = fathom_model::splitmix64(state);
                state % below
            };
            let length = lengths[usize::try_from(number).unwrap() % lengths.len()];
            let (dense, returns) = (draw(2) == 0, draw(3) == 0);
            let mut text = Vec::new();
            while text.len() < length {
                match draw(40) {
                    0 => {}
                    1 if length > 100_000 => {
                        text.resize(text.len() + 60_000 + usize::try_from(draw(9000)).unwrap(), b'x');
                    }
                    2 => text.extend_from_slice(word.as_bytes()),
                    _ => {
                        text.resize(text.len() + usize::try_from(draw(90)).unwrap(), b'.');
                        if dense || draw(4) == 0 {
                            text.extend_from_slice(word.as_bytes());
                            text.resize(text.len() + usize::try_from(draw(30)).unwrap(), b',');
                        }
                        if draw(10) == 0 {
                            text.extend_from_slice(word.as_bytes());
                        }
                    }
                }
                text.extend_from_slice(if returns { b"\r\n" } else { b"\n" });
            }
            // Cut anywhere: in a word, in a line, behind a newline.
            text.truncate(length);
            text
        })
        .collect()
}

#[test]
fn predictions_are_what_programs_with_the_same_mistakes_answer() {
    let workers = [1, 2, 3, 4, 8, 16, 64];
    let word = "ERROR";
    let mut files = random_files(word, 48);
    files.extend(
        ["\n\n\n", "ERROR", "\r\n\r\n", "a\r\n\nb", "ERROR ERROR\nERROR"]
            .map(|text| text.as_bytes().to_vec()),
    );
    files.push([vec![b'x'; 65_535], b"\nERROR\n".to_vec()].concat());
    files.push([vec![b'x'; 65_536], b"\nERROR\n".to_vec()].concat());
    let Some(answers) = answers(&files, word, &workers) else { return };
    assert_eq!(answers.len(), files.len());
    let folder = tempfile::tempdir().unwrap();
    let (mut wrong_quarters, mut wrong_scanners, mut records) = (0, 0, 0);
    for (number, (bytes, answer)) in files.iter().zip(&answers).enumerate() {
        let file = own(folder.path(), number, bytes);
        let true_count = bytes.windows(word.len()).filter(|window| *window == word.as_bytes()).count() as u64;
        let mut mine = Vec::new();
        for (name, wrong) in
            [("pread-quarters", &mut wrong_quarters), ("open+Seek+Scanner", &mut wrong_scanners)]
        {
            for &workers in &workers {
                let count = predicted(name, Operation::Search, &file, word, workers).unwrap().count;
                *wrong += u64::from(count != true_count);
                mine.push(count);
            }
        }
        let lines = predicted("pread-4KiB+Scanner+gather", Operation::Lines, &file, word, 1).unwrap();
        mine.extend([lines.count, lines.bytes, lines.largest, lines.left]);
        records += lines.count;
        // A Scanner that gives up at a long line is an error, for which there is no prediction.
        let scanned = predicted("os.OpenFile+Scanner.Text", Operation::Lines, &file, word, 1);
        mine.extend(scanned.map_or([1, 0, 0], |lines| [0, lines.count, lines.bytes]));
        let pieces = predicted("pread-4KiB+Scanner", Operation::Lines, &file, word, 1).unwrap();
        mine.extend([pieces.count, pieces.bytes]);
        assert_eq!(&mine, answer, "file {number} of {} bytes", bytes.len());
    }
    assert!(wrong_quarters > 50 && wrong_scanners > 50, "{wrong_quarters} {wrong_scanners}");
    assert!(records > 100, "{records}");
}

#[test]
fn another_word_and_content_by_its_rule_are_predicted_alike() {
    let word = "request=a";
    let file = FileBytes::Made { content: Content::LogLines, seed: 7, length: 300_007 };
    let mut bytes = vec![0; 300_007];
    file.fill(0, &mut bytes).unwrap();
    let workers = [1, 2, 5];
    let Some(answers) = answers(&[bytes], word, &workers) else { return };
    let mine = ["pread-quarters", "open+Seek+Scanner"].map(|name| {
        workers.map(|workers| predicted(name, Operation::Search, &file, word, workers).unwrap().count)
    });
    assert_eq!(mine.concat(), answers[0][..6]);
}

#[test]
fn other_methods_have_no_prediction() {
    let file = FileBytes::Made { content: Content::LogLines, seed: 7, length: 100 };
    let ask = |method: &str, operation| {
        predict(&method.parse().unwrap(), operation, &file, &Settings::default()).unwrap()
    };
    assert_eq!(ask("go:pread+regexp", Operation::Search), None);
    assert_eq!(ask("native:pread-quarters", Operation::Search), None);
    let mut names = String::new();
    write!(names, "go:pread-quarters").unwrap();
    assert_eq!(ask(&names, Operation::Lines), None);
}

/// The size of the log of an independent reproduction.
#[test]
#[ignore = "long"]
fn a_log_of_98_mb_is_predicted_for_every_number_of_workers() {
    let mut files = vec![Vec::new()];
    let mut state = 1;
    while files[0].len() < 97_747_893 {
        state = fathom_model::splitmix64(state);
        let level = if state % 8 == 0 { "ERROR" } else { "INFO " };
        let padding = usize::try_from(state % 64).unwrap();
        files[0].extend_from_slice(format!("{level} {state:020} {:.<padding$}\n", "").as_bytes());
        if state % 4001 == 0 {
            files[0].push(b'\n');
        }
    }
    files[0].truncate(97_747_893);
    // Each border of four parts cuts a word, and the last line has no newline.
    for part in 1..4 {
        let border = 97_747_893 / 4 * part;
        files[0][border - 2..border + 3].copy_from_slice(b"ERROR");
    }
    *files[0].last_mut().unwrap() = b'R';
    let workers = [1, 2, 3, 4, 8, 16, 64];
    let Some(answers) = answers(&files, "ERROR", &workers) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = own(folder.path(), 0, &files[0]);
    let mut mine = Vec::new();
    for name in ["pread-quarters", "open+Seek+Scanner"] {
        mine.extend(workers.map(|w| predicted(name, Operation::Search, &file, "ERROR", w).unwrap().count));
    }
    let lines = predicted("pread-4KiB+Scanner+gather", Operation::Lines, &file, "ERROR", 1).unwrap();
    mine.extend([lines.count, lines.bytes, lines.largest, lines.left]);
    assert_eq!(mine, answers[0][..mine.len()]);
    eprintln!("{mine:?}");
}

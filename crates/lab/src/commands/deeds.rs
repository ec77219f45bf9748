//! What a command does with files, seen in one traced run of its own: what was opened around the
//! cache, what advice was given, which data was read. Counts alone do not show it.

use super::launch::Launcher;
use super::{CommandError, CommandWords};
use fathom_events::{Advice, CallOutcome, FileAction, FileEvent, OpenFlags, PathId, PathTable, Target};
use fathom_stats::FileDeeds;
use fathom_trace::{FileTraceOptions, trace_files};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `O_DIRECT`, as events number it.
const DIRECT: u32 = 0x4000;
/// Bits that say that a file is written.
const WRITES: u32 = 0x3 | 0x40 | 0x200;
const EXECUTABLE: u32 = 4;
/// Longer than this nobody looks: the run is ended, and nothing is said of files.
const LIMIT: Duration = Duration::from_mins(10);
/// Larger files than this are not hashed.
const HASHED_MAX_BYTES: u64 = 1 << 30;
/// Files are hashed in pieces.
const PIECE_BYTES: usize = 1 << 20;
/// Where programs and their parts lie, and what is no data.
const SYSTEM: [&str; 9] = ["/usr/", "/lib", "/bin/", "/sbin/", "/etc/", "/proc/", "/sys/", "/dev/", "/opt/"];
/// Endings of code.
const CODE: [&str; 14] =
    ["py", "pyc", "sh", "js", "mjs", "pl", "pm", "rb", "lua", "jar", "class", "so", "a", "json5"];

/// Follows which file stands behind which descriptor.
#[derive(Debug, Default)]
struct Looking {
    open: HashMap<(u32, i32), PathId>,
    written: BTreeSet<PathId>,
    read: BTreeMap<PathId, u64>,
    deeds: FileDeeds,
}

/// One run under the tracer. `None` where nothing can be said: the tracer is not allowed here, or
/// the run was ended early.
pub(super) fn look(words: &CommandWords, launcher: &Launcher<'_>) -> Result<Option<FileDeeds>, CommandError> {
    launcher.prepare()?;
    let mut command = launcher.command(&words.text, &words.words)?;
    let mut looking = Looking::default();
    let mut known = PathTable::new();
    let options = FileTraceOptions {
        signal: Some(launcher.signals.number),
        time_limit: Some(LIMIT),
        ..FileTraceOptions::default()
    };
    let traced = trace_files(&mut command, &options, &mut |event, paths| {
        for path in paths.paths_from(known.len()) {
            known.append(path);
        }
        looking.take(&event, paths);
    });
    if launcher.signals.is_stopped() {
        return Err(CommandError::Interrupted);
    }
    let is_whole = traced.is_ok_and(|end| end.cut.is_none());
    Ok(is_whole.then(|| looking.finish(&known)))
}

impl Looking {
    fn take(&mut self, event: &FileEvent, paths: &PathTable) {
        let process = event.process;
        let value = event.outcome.value();
        match &event.action {
            FileAction::Open { target: Target::Path { path, .. }, flags, .. } => {
                self.opened(process, *path, *flags, event.outcome, paths);
            }
            FileAction::Close { descriptor } => {
                self.open.remove(&(process, *descriptor));
            }
            FileAction::Duplicate { descriptor, .. } => {
                let to = value.and_then(|value| i32::try_from(value).ok());
                match (to, self.open.get(&(process, *descriptor)).copied()) {
                    (Some(to), Some(path)) => {
                        self.open.insert((process, to), path);
                    }
                    (Some(to), None) => {
                        self.open.remove(&(process, to));
                    }
                    (None, _) => {}
                }
            }
            FileAction::Fork { is_thread: false, .. } => {
                let Some(child) = value.and_then(|value| u32::try_from(value).ok()) else { return };
                let inherited = self.open.iter().filter(|((of, _), _)| *of == process);
                let inherited: Vec<_> = inherited.map(|((_, number), path)| (*number, *path)).collect();
                self.open.extend(inherited.into_iter().map(|(number, path)| ((child, number), path)));
            }
            FileAction::Exit { whole: true, .. } => self.open.retain(|(of, _), _| *of != process),
            FileAction::Read { descriptor, .. } | FileAction::Copy { from: descriptor, .. } => {
                self.came(process, *descriptor, value.and_then(|value| u64::try_from(value).ok()));
            }
            FileAction::Map { descriptor: Some(descriptor), protection, .. }
                if protection & EXECUTABLE == 0 && value.is_some() =>
            {
                let path = self.open.get(&(process, *descriptor));
                self.deeds.reads_unseen |= path.is_some_and(|path| data_file(paths, *path).is_some());
            }
            FileAction::Advise { advice, .. } => self.advised(event.call, *advice, event.outcome),
            FileAction::Other if event.call == "io_uring_setup" => self.deeds.reads_unseen = true,
            FileAction::MakeDescriptors { .. } if event.call == "io_uring_setup" && value.is_some() => {
                self.deeds.reads_unseen = true;
            }
            _ => {}
        }
    }

    fn opened(
        &mut self,
        process: u32,
        path: PathId,
        flags: OpenFlags,
        outcome: CallOutcome,
        paths: &PathTable,
    ) {
        let is_direct = flags.0 & DIRECT != 0;
        match outcome {
            CallOutcome::Value(value) => {
                self.deeds.direct_opens += u64::from(is_direct);
                if flags.0 & WRITES != 0 {
                    self.written.insert(path);
                }
                if let Ok(number) = i32::try_from(value) {
                    self.open.insert((process, number), path);
                }
            }
            CallOutcome::Failed(errno) if is_direct => {
                let shown = paths.path(path).to_string_lossy().into_owned();
                self.deeds.direct_refused = Some((fathom_trace::name_of_errno(errno), Some(shown)));
            }
            _ => {}
        }
    }

    fn came(&mut self, process: u32, descriptor: i32, bytes: Option<u64>) {
        let Some(path) = self.open.get(&(process, descriptor)) else { return };
        *self.read.entry(*path).or_default() += bytes.unwrap_or(0);
    }

    fn advised(&mut self, call: &str, advice: Advice, outcome: CallOutcome) {
        let word = match advice {
            _ if call == "readahead" => "READAHEAD",
            Advice::Normal => "NORMAL",
            Advice::Random => "RANDOM",
            Advice::Sequential => "SEQUENTIAL",
            Advice::WillNeed => "WILLNEED",
            Advice::DontNeed => "DONTNEED",
            Advice::NoReuse => "NOREUSE",
            Advice::Other(_) => "OTHER",
        };
        match outcome {
            CallOutcome::Value(_) => *self.deeds.advice.entry(word.to_owned()).or_default() += 1,
            CallOutcome::Failed(errno) => {
                self.deeds.advice_refused = Some(fathom_trace::name_of_errno(errno));
            }
            CallOutcome::Unfinished | CallOutcome::Unknown => {}
        }
    }

    fn finish(mut self, paths: &PathTable) -> FileDeeds {
        let written: BTreeSet<_> = self.written.iter().filter_map(|path| data_file(paths, *path)).collect();
        for (path, bytes) in self.read {
            let Some(file) = data_file(paths, path).filter(|file| !written.contains(file)) else { continue };
            let size = std::fs::metadata(&file).map_or(u64::MAX, |found| found.len());
            let shown = file.to_string_lossy().into_owned();
            let sum = self.deeds.read.entry(shown).or_default();
            // A file that is read twice has no more data.
            *sum = sum.saturating_add(bytes).min(size);
        }
        self.deeds
    }
}

/// A file that holds data, by its real name; `None` of programs and their parts.
fn data_file(paths: &PathTable, path: PathId) -> Option<PathBuf> {
    let named = Path::new(paths.path(path));
    let real = std::fs::canonicalize(named).unwrap_or_else(|_| named.to_owned());
    let bytes = real.as_os_str().as_bytes();
    let is_system = SYSTEM.iter().any(|prefix| bytes.starts_with(prefix.as_bytes()));
    let ending = real.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_library = real.file_name().is_some_and(|name| name.to_string_lossy().contains(".so."));
    let is_file = std::fs::metadata(&real).is_ok_and(|found| found.is_file());
    (is_file && !is_system && !is_library && !CODE.contains(&ending)).then_some(real)
}

/// What a command is: its program's SHA-256, and its words with programs and scripts by theirs.
pub(super) fn identity(words: &[String]) -> Option<(String, Vec<String>)> {
    let (program, rest) = words.split_first()?;
    let digest = digest(&found(program)?)?;
    let known = |word: &String| {
        let path = Path::new(word);
        let is_code =
            path.extension().and_then(|ending| ending.to_str()).is_some_and(|of| CODE.contains(&of));
        let digest = is_code.then(|| self::digest(path)).flatten();
        digest.map_or_else(|| word.clone(), |digest| format!("sha256:{digest}"))
    };
    Some((digest, rest.iter().map(known).collect()))
}

/// The program that a name means, as `execvp` finds it.
fn found(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The SHA-256 of a file, in hexadecimal.
pub(crate) fn digest(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    if file.metadata().ok().filter(std::fs::Metadata::is_file)?.len() > HASHED_MAX_BYTES {
        return None;
    }
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(bytes) => hash.update(&piece[..bytes]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    Some(crate::drivers::driver_source::hexadecimal(&hash.finalize()))
}

//! What each operation is tried on: files and settings, and what is right for them.

use crate::data::file_bytes::FileBytes;
use crate::processes::expected::Expected;
use crate::processes::launch::Launch;
use crate::processes::protocol::RunArguments;
use fathom_model::{
    Access, Alignment, AnswerKind, BufferUse, Content, DataSet, MethodDescription, Operation, Parameters,
    Setting, SettingValue, Transfer, WorksOn,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Sizes of files that whole-file methods meet: nothing, one byte, a page and
/// its neighbors, and more than a buffer.
const WHOLE_SIZES: [u64; 6] = [0, 1, 4095, 4096, 10_000, 200_001];
/// The block size of all subjects.
pub(super) const BLOCK: u64 = 4096;
/// The seed of offsets.
pub(super) const OFFSET_SEED: u64 = 42;

/// Files to run on and what is right for them.
pub(super) struct Subject {
    /// `directory` is where directories to write in are to be made.
    pub(super) arguments: RunArguments,
    pub(super) expected: Expected,
}

/// Everything that a method is tried on, each with a label.
pub(super) fn of(
    folder: &Path,
    method: &MethodDescription,
    operation: Operation,
) -> io::Result<Vec<(String, Subject)>> {
    let mut list = Subjects { folder, method, operation, all: Vec::new() };
    let as_usual = |_: &mut Parameters| {};
    let facts = operation.facts();
    match (facts.transfers, facts.answer) {
        // Some ways truncate: the file is empty from the start.
        (Transfer::Nothing, AnswerKind::Nothing) if facts.works_on == WorksOn::EmptiedFiles => {
            list.add("two empty files in turn", 0, 2, as_usual)?;
        }
        (Transfer::Nothing, AnswerKind::Nothing) => list.add("two files in turn", 100, 2, as_usual)?,
        (Transfer::Nothing, AnswerKind::Written) => {
            for (size, left) in [(4096, 0), (4096, 10), (200_001, 4096), (10_000, 10_000)] {
                list.add(&format!("{left} of {size} B"), size, 1, |p| {
                    facts.leaves.into_iter().for_each(|s| p.settings.set(s, SettingValue::Number(left)));
                })?;
            }
        }
        (Transfer::Nothing, AnswerKind::Page) => list.add("one page", 1024, 1, as_usual)?,
        (Transfer::FirstBlock, _) => {
            for size in [100, 10_000] {
                list.add(&format!("{size} B"), size, 2, as_usual)?;
            }
            list.add("a fresh buffer each time", 10_000, 1, |p| p.buffer = BufferUse::Fresh)?;
            for size in [100, 10_000] {
                list.add(&format!("{size} B, an array on the stack"), size, 2, |p| {
                    p.buffer = BufferUse::Stack;
                })?;
            }
        }
        (Transfer::Block, AnswerKind::Written) => {
            list.add_accesses()?;
            // Streams can do these too when they go forward only.
            let forward = |p: &mut Parameters| p.access = Access::Sequential;
            list.add("over data", 100_000, 1, |p| {
                forward(p);
                set(p, Setting::Existing, "data");
            })?;
            list.add("a pattern", 100_000, 1, |p| {
                forward(p);
                p.data.content = Content::Pattern;
            })?;
            list.add_syncs()?;
        }
        (Transfer::Block, _) => {
            list.add_accesses()?;
            list.add("two files in turn", 100_000, 2, |p| p.buffer = BufferUse::Fresh)?;
            list.add_settings()?;
        }
        (Transfer::Setting(_), _) => list.add_creations()?,
        (_, AnswerKind::Values) => {
            for content in [Content::ConfigJson, Content::ConfigYaml, Content::ConfigToml] {
                list.add(&format!("five files of {content}"), 1024, 5, |p| p.data.content = content)?;
            }
        }
        (Transfer::Nothing | Transfer::File, answer) => {
            list.add_whole_sizes()?;
            list.add("two files in turn", 10_000, 2, as_usual)?;
            if answer == AnswerKind::Data {
                list.add("a fresh buffer each time", 10_000, 1, |p| p.buffer = BufferUse::Fresh)?;
            }
            if matches!(answer, AnswerKind::Data | AnswerKind::Digest) {
                list.add_uneven_pieces()?;
            }
            list.add_settings()?;
        }
    }
    Ok(list.all)
}

/// What the marks are looked for in.
pub(super) fn for_marks(
    folder: &Path,
    method: &MethodDescription,
    operation: Operation,
) -> io::Result<Subject> {
    let size = match operation.facts().works_on {
        _ if operation.takes_documents() => 1024,
        _ if operation.takes_offsets() => 100_000,
        WorksOn::EmptiedFiles => 0,
        _ => 10_000,
    };
    let list = Subjects { folder, method, operation, all: Vec::new() };
    list.subject(size, 1, |p| {
        if sequential_only(method, operation) {
            p.access = Access::Sequential;
        }
    })
}

struct Subjects<'a> {
    folder: &'a Path,
    method: &'a MethodDescription,
    operation: Operation,
    all: Vec<(String, Subject)>,
}

impl Subjects<'_> {
    fn add(
        &mut self,
        label: &str,
        size_bytes: u64,
        files: u32,
        change: impl FnOnce(&mut Parameters),
    ) -> io::Result<()> {
        let subject = self.subject(size_bytes, files, change)?;
        self.all.push((label.to_owned(), subject));
        Ok(())
    }

    fn add_whole_sizes(&mut self) -> io::Result<()> {
        WHOLE_SIZES.into_iter().try_for_each(|size| self.add(&format!("{size} B"), size, 1, |_| {}))
    }

    fn add_accesses(&mut self) -> io::Result<()> {
        for (access, alignment) in [
            (Access::Random, Alignment::Aligned),
            (Access::Sequential, Alignment::Aligned),
            (Access::Random, Alignment::Unaligned),
            (Access::Sequential, Alignment::Unaligned),
        ] {
            if alignment == Alignment::Unaligned && self.method.name.contains("DIRECT") {
                continue;
            }
            let label = format!("{access:?}, {alignment:?}").to_lowercase();
            self.add(&label, 100_000, 1, |p| (p.access, p.alignment) = (access, alignment))?;
        }
        Ok(())
    }

    /// Settings that the method says it obeys, and those that every method does.
    fn add_settings(&mut self) -> io::Result<()> {
        let size = if self.operation.takes_offsets() { 100_000 } else { 200_001 };
        let obeys = |setting: Setting| {
            setting.concerns(self.operation)
                && (self.method.takes.contains(&setting) || setting.is_for_all_methods(self.operation))
        };
        let (threads, depth) = (obeys(Setting::Threads), obeys(Setting::QueueDepth));
        let algorithm = obeys(Setting::Algorithm);
        if threads {
            for number in [2, 3, 7] {
                let value = SettingValue::Number(number);
                self.add(&format!("{number} threads"), size, 1, |p| p.settings.set(Setting::Threads, value))?;
            }
        }
        if depth {
            let value = SettingValue::Number(8);
            self.add("queue depth 8", size, 1, |p| p.settings.set(Setting::QueueDepth, value))?;
        }
        if threads && !self.operation.takes_offsets() && !self.method.name.contains("DIRECT") {
            self.add("5 threads, pieces of 1000 B", 12_345, 1, |p| {
                p.block_bytes = 1000;
                p.settings.set(Setting::Threads, SettingValue::Number(5));
            })?;
        }
        if threads && depth {
            for (number, depth) in [(4, 5), (9, 64)] {
                self.add(&format!("{number} threads, queue depth {depth}"), size, 3, |p| {
                    p.settings.set(Setting::Threads, SettingValue::Number(number));
                    p.settings.set(Setting::QueueDepth, SettingValue::Number(depth));
                })?;
            }
        }
        if algorithm {
            for block in [BLOCK, 33] {
                self.add(&format!("xxh64, pieces of {block} B"), size, 1, |p| {
                    p.block_bytes = block;
                    set(p, Setting::Algorithm, "xxh64");
                })?;
            }
        }
        if Setting::Sync.concerns(self.operation) {
            self.add_syncs()?;
        }
        Ok(())
    }

    /// Pieces that are no multiple of what a digest steps by or a hash works on.
    fn add_uneven_pieces(&mut self) -> io::Result<()> {
        if self.method.name.contains("DIRECT") {
            return Ok(());
        }
        for (block, buffer) in [(1000, BufferUse::Reused), (33, BufferUse::Fresh)] {
            self.add(&format!("pieces of {block} B"), 12_345, 1, |p| {
                (p.block_bytes, p.buffer) = (block, buffer);
            })?;
        }
        Ok(())
    }

    fn add_syncs(&mut self) -> io::Result<()> {
        for sync in ["fsync", "syncfs"] {
            self.add(sync, 100_000, 1, |p| {
                p.access = Access::Sequential;
                set(p, Setting::Sync, sync);
            })?;
        }
        Ok(())
    }

    fn add_creations(&mut self) -> io::Result<()> {
        self.add("empty files", 0, 1, |_| {})?;
        for existing in ["fresh", "empty", "data"] {
            for close in ["each", "all", "none"] {
                self.add(&format!("{existing}, 10 bytes, close {close}"), 0, 1, |p| {
                    set(p, Setting::Existing, existing);
                    set(p, Setting::Close, close);
                    p.settings.set(Setting::Write, SettingValue::Number(10));
                })?;
            }
        }
        self.add_syncs()
    }

    fn subject(
        &self,
        size_bytes: u64,
        files: u32,
        change: impl FnOnce(&mut Parameters),
    ) -> io::Result<Subject> {
        let Self { folder, method, operation, .. } = *self;
        let data = DataSet { files, size_bytes, content: operation.facts().content };
        let mut parameters = Parameters::new(data, BLOCK);
        change(&mut parameters);
        let seeds: Vec<u64> = (0..u64::from(files)).map(|file| 100 + file).collect();
        let mut paths = Vec::new();
        for &seed in &seeds {
            paths.push(match operation.facts().works_on {
                WorksOn::MissingFiles => folder.join(format!("absent-{seed}")),
                _ => make_file(folder, size_bytes, parameters.data.content, seed)?,
            });
        }
        let content = parameters.data.content;
        let files = seeds.iter().map(|&seed| FileBytes::Made { content, seed, length: size_bytes });
        let expected = Expected::new(operation, &parameters, files.collect(), OFFSET_SEED)?;
        let methods = vec![method.name.clone(), method.name.clone()];
        let directory = operation.writes().then(|| folder.to_owned());
        let arguments = RunArguments {
            operation,
            methods,
            paths,
            size_bytes,
            parameters,
            seed: OFFSET_SEED,
            marks: false,
            directory,
            latencies: None,
            evicts: false,
            path_list: None,
            launch: Launch::default(),
        };
        Ok(Subject { arguments, expected })
    }
}

fn set(parameters: &mut Parameters, setting: Setting, word: &str) {
    parameters.settings.set(setting, word.into());
}

/// A stream cannot go back.
fn sequential_only(method: &MethodDescription, operation: Operation) -> bool {
    operation.takes_offsets() && operation.writes() && method.name != "null"
}

fn make_file(folder: &Path, size_bytes: u64, content: Content, seed: u64) -> io::Result<PathBuf> {
    let path = folder.join(format!("{content}-{seed}-{size_bytes}"));
    if !path.exists() {
        let length = usize::try_from(size_bytes).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        content.fill(seed, 0, &mut bytes);
        let file = fs::File::create(&path)?;
        io::Write::write_all(&mut &file, &bytes)?;
        file.sync_all()?;
    }
    Ok(path)
}

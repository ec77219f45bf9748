//! What a driver must deliver: computed from the content's rule, never read
//! back from the file, so that checking does not warm what is measured. Of a
//! file of the user's it is read, before anything is measured; blocks after they were.

use crate::data::file_bytes::FileBytes;
use crate::data::truth::{Algorithm, Answer, Question, answer};
use crate::processes::protocol::Done;
use fathom_model::{
    Access, Alignment, AnswerKind, Content, Operation, Parameters, Setting, Transfer, WorksOn, splitmix64,
};
use std::collections::HashSet;
use std::io;

/// What `write-block` takes its blocks from has this many bytes.
const POOL_BYTES: u64 = 1 << 20;

/// What a program that gathers lines says beside their number (drivers/PROTOCOL.md).
const LARGEST: &str = "largest";
const LEFT: &str = "left";

/// The right answers for one process's paths and parameters.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    operation: Operation,
    parameters: Parameters,
    /// The bytes of each path.
    files: Vec<FileBytes>,
    /// The answer of one operation on each path, where it does not depend on
    /// the operation's number.
    answers: Vec<Answer>,
    offset_seed: u64,
}

/// A block of one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    /// Which of the paths.
    pub(crate) path: usize,
    /// Where it begins, in bytes.
    pub(crate) offset: u64,
    /// Its length.
    pub(crate) bytes: u64,
}

/// Why an answer is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WrongData {
    /// Bytes, digest or another figure differ from what the data set holds.
    #[error("wrong answer: {what} is {found}, must be {expected}, for operations {first} to {last}")]
    Differs {
        /// What differs.
        what: &'static str,
        /// What the driver answered.
        found: u64,
        /// What is right.
        expected: u64,
        /// The first operation of the batch.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// A file of the user's cannot be read again.
    #[error("the answer cannot be checked: {0}")]
    Unreadable(String),
}

impl Expected {
    /// Reads all files of the user's once.
    pub(crate) fn new(
        operation: Operation,
        parameters: &Parameters,
        files: Vec<FileBytes>,
        offset_seed: u64,
    ) -> io::Result<Self> {
        let mut expected =
            Self { operation, parameters: parameters.clone(), files, answers: Vec::new(), offset_seed };
        let facts = operation.facts();
        expected.answers = match (facts.leaves, facts.transfers, facts.works_on) {
            (Some(setting), transfers, _) => vec![left(parameters.settings.number(setting), transfers)],
            (_, Transfer::Block, _) => Vec::new(),
            (_, _, WorksOn::OwnFiles) => vec![Answer::default()],
            (_, _, WorksOn::AllFiles) => vec![all_of(&expected.answers_of_files()?)],
            _ => expected.answers_of_files()?,
        };
        Ok(expected)
    }

    /// The same, but for a method that answers wrongly: what it answered for
    /// each file is what it has to answer again.
    pub(crate) fn with_answers(&self, answers: Vec<Answer>) -> Self {
        Self { answers, ..self.clone() }
    }

    /// A batch of one operation as an answer.
    pub(crate) fn answered(&self, done: &Done) -> Answer {
        let figure = |what: &str| done.figures.get(what).copied().unwrap_or(0);
        let count = self.counted().map_or(0, figure);
        let (largest, left) = (figure(LARGEST), figure(LEFT));
        Answer { bytes: done.bytes, digest: done.digest, count, crc32: 0, largest, left, is_count: false }
    }

    /// How many different answers there are: one for each file, or one for all.
    pub(crate) fn answers(&self) -> &[Answer] {
        &self.answers
    }

    fn answers_of_files(&self) -> io::Result<Vec<Answer>> {
        let settings = &self.parameters.settings;
        let algorithm = match settings.text(Setting::Algorithm).as_str() {
            "xxh64" => Algorithm::Xxh64,
            _ => Algorithm::Md5,
        };
        let word = settings.text(Setting::Pattern);
        let question = Question { algorithm, word: &word };
        let of =
            |file: &FileBytes| answer(self.operation.facts().answer, file, self.bytes_read(file), question);
        self.files.iter().map(of).collect()
    }

    /// Bytes that operation 0 delivers.
    pub(crate) fn bytes_per_operation(&self) -> u64 {
        match self.operation.facts().transfers {
            Transfer::Block => self.parameters.block_bytes,
            _ => self.answers.first().map_or(0, |answer| answer.bytes),
        }
    }

    /// Operations of an untimed trial: of files that Fathom made one shows the others, of the
    /// user's each is tried.
    pub(crate) fn trial_operations(&self) -> u32 {
        let own = self.files.iter().any(|file| matches!(file, FileBytes::Own(_)));
        if own { u32::try_from(self.files.len()).unwrap_or(u32::MAX).max(1) } else { 1 }
    }

    /// CRC-32 of what `verify` speaks of: the data of operation 0, or its answer.
    pub(crate) fn crc32(&self) -> Result<u32, WrongData> {
        match self.operation.facts().transfers {
            Transfer::Block if self.operation.writes() => {
                return Ok(crc32fast::hash(&self.written_block(0)));
            }
            Transfer::Block => {}
            _ => return Ok(self.answers.first().map_or(0, |answer| answer.crc32)),
        }
        let (file, offset) = self.block(0);
        let mut block =
            vec![0; usize::try_from(self.parameters.block_bytes).expect("a block fits in memory")];
        file.fill(offset, &mut block).map_err(|error| WrongData::Unreadable(error.to_string()))?;
        Ok(crc32fast::hash(&block))
    }

    /// Checks a batch whose first timed operation had number `first`.
    pub(crate) fn check(&self, done: &Done, first: u64, operations: u32) -> Result<(), WrongData> {
        let last = first + u64::from(operations).saturating_sub(1);
        let wrong = |what, found, expected| Err(WrongData::Differs { what, found, expected, first, last });
        if done.operations != u64::from(operations) {
            return wrong("the number of operations", done.operations, u64::from(operations));
        }
        let mut sum = Answer::default();
        for number in first..first + u64::from(operations) {
            sum.add(&self.answer(number).map_err(|error| WrongData::Unreadable(error.to_string()))?);
        }
        if done.bytes != sum.bytes {
            return wrong("the number of bytes", done.bytes, sum.bytes);
        }
        if let Some(what) = self.counted() {
            let found = done.figures.get(what).copied().unwrap_or(0);
            if found != sum.count {
                return wrong(what, found, sum.count);
            }
        }
        if done.digest != sum.digest {
            return wrong("the digest", done.digest, sum.digest);
        }
        for (what, expected) in [(LARGEST, sum.largest), (LEFT, sum.left)] {
            if let Some(&found) = done.figures.get(what).filter(|&&found| found != expected) {
                return wrong(what, found, expected);
            }
        }
        Ok(())
    }

    /// How many different pages the blocks of these operations lie on: what has to
    /// be read from the device when nothing is cached and nothing else is read.
    /// `None` for operations that read no blocks.
    pub(crate) fn distinct_pages(&self, first: u64, operations: u32, page_bytes: u64) -> Option<u64> {
        if !self.operation.reads_blocks() {
            return None;
        }
        let mut pages = HashSet::new();
        for number in first..first + u64::from(operations) {
            let (_, offset) = self.block(number);
            let last = (offset + self.parameters.block_bytes - 1) / page_bytes;
            let path = self.path_of(number);
            pages.extend((offset / page_bytes..=last).map(|page| (path, page)));
        }
        Some(pages.len() as u64)
    }

    /// The blocks that operations from `first` on read, in their order.
    pub(crate) fn blocks(&self, first: u64, operations: u32) -> impl Iterator<Item = Block> {
        (first..first + u64::from(operations)).map(|number| Block {
            path: self.path_of(number),
            offset: self.block(number).1,
            bytes: self.parameters.block_bytes,
        })
    }

    /// The further figure that must be right.
    pub(crate) fn counted(&self) -> Option<&'static str> {
        match self.operation.facts().answer {
            AnswerKind::Lines => Some("lines"),
            AnswerKind::Matches => Some("matches"),
            _ => None,
        }
    }

    fn content(&self) -> Content {
        self.parameters.data.content
    }

    /// What the smallest file holds: blocks are read within it (drivers/PROTOCOL.md).
    fn smallest(&self) -> u64 {
        self.files.iter().map(FileBytes::length).min().unwrap_or(0)
    }

    /// Bytes of the file that one operation looks at.
    fn bytes_read(&self, file: &FileBytes) -> u64 {
        match self.operation.facts().transfers {
            Transfer::FirstBlock => self.parameters.block_bytes.min(self.smallest()),
            Transfer::Block => self.parameters.block_bytes,
            Transfer::Nothing | Transfer::File | Transfer::Setting(_) => file.length(),
        }
    }

    fn answer(&self, number: u64) -> io::Result<Answer> {
        let bytes = self.parameters.block_bytes;
        if !self.operation.takes_offsets() {
            return Ok(self.answers[self.answer_of(number)]);
        }
        let digest = if self.operation.writes() {
            self.written_digest(number)
        } else {
            let (file, offset) = self.block(number);
            file.digest(offset, bytes)?
        };
        Ok(Answer { bytes, digest, ..Answer::default() })
    }

    fn answer_of(&self, number: u64) -> usize {
        usize::try_from(number % self.answers.len() as u64).expect("below the number of answers")
    }

    /// The block that operation `number` of `write-block` writes (drivers/PROTOCOL.md).
    pub(crate) fn written_block(&self, number: u64) -> Vec<u8> {
        let offset = self.pool_offset(number);
        (offset..offset + self.parameters.block_bytes).map(|at| self.pool_byte(at)).collect()
    }

    fn written_digest(&self, number: u64) -> u64 {
        let offset = self.pool_offset(number);
        let pages = self.parameters.block_bytes.div_ceil(4096);
        (0..pages).map(|page| u64::from(self.pool_byte(offset + page * 4096))).sum()
    }

    fn pool_offset(&self, number: u64) -> u64 {
        let block = self.parameters.block_bytes;
        number % (POOL_BYTES / block).max(1) * block
    }

    fn pool_byte(&self, at: u64) -> u8 {
        if self.content() == Content::Pattern {
            return Content::Pattern.byte(0, at);
        }
        let word = splitmix64(self.offset_seed.wrapping_add(at / 8));
        word.to_le_bytes()[usize::try_from(at % 8).expect("below 8")]
    }

    fn path_of(&self, number: u64) -> usize {
        let paths = self.files.len() as u64;
        usize::try_from(number % paths).expect("below the number of paths")
    }

    /// The file and the offset of the block that operation `number` reads.
    fn block(&self, number: u64) -> (&FileBytes, u64) {
        let file = &self.files[self.path_of(number)];
        (file, block_offset(&self.parameters, self.smallest(), self.offset_seed, number))
    }
}

/// What is answered of files that have so many bytes in the end: they, where the operation
/// wrote them, and no digest.
fn left(file_bytes: u64, transfers: Transfer) -> Answer {
    let mut data = vec![0; usize::try_from(file_bytes).expect("a file's data fits in memory")];
    Content::Pattern.fill(0, 0, &mut data);
    let bytes = if transfers == Transfer::Nothing { 0 } else { file_bytes };
    Answer { bytes, crc32: crc32fast::hash(&data), ..Answer::default() }
}

/// One operation on all files together.
fn all_of(files: &[Answer]) -> Answer {
    let mut sum = Answer::default();
    for file in files {
        sum.add(file);
    }
    Answer { crc32: crc32fast::hash(sum.digest.to_string().as_bytes()), ..sum }
}

/// Where operation `number` reads its block (drivers/PROTOCOL.md).
fn block_offset(parameters: &Parameters, size: u64, seed: u64, number: u64) -> u64 {
    let block = parameters.block_bytes;
    let random = splitmix64(seed.wrapping_add(number));
    match (parameters.access, parameters.alignment) {
        (Access::Random, Alignment::Aligned) => random % (size / block) * block,
        (Access::Random, Alignment::Unaligned) => random % (size - block + 1),
        (Access::Sequential, Alignment::Aligned) => number % (size / block) * block,
        (Access::Sequential, Alignment::Unaligned) => number % ((size - 1) / block) * block + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::DataSet;

    fn parameters(size_bytes: u64, block_bytes: u64) -> Parameters {
        let data = DataSet { files: 1, size_bytes, content: Content::Random };
        Parameters { access: Access::Sequential, ..Parameters::new(data, block_bytes) }
    }

    fn made(operation: Operation, parameters: &Parameters, seeds: &[u64]) -> Expected {
        let DataSet { size_bytes: length, content, .. } = parameters.data;
        let files = seeds.iter().map(|&seed| FileBytes::Made { content, seed, length }).collect();
        Expected::new(operation, parameters, files, 1).unwrap()
    }

    fn done(operations: u64, bytes: u64, digest: u64) -> Done {
        Done { operations, ns: 1, bytes, digest, ..Done::default() }
    }

    #[test]
    fn a_lost_byte_or_operation_and_a_wrong_digest_are_found() {
        let expected = made(Operation::ReadWhole, &parameters(5000, 4096), &[9]);
        let digest = Content::Random.digest(9, 0, 5000);
        assert_eq!(expected.check(&done(2, 10_000, digest * 2), 0, 2), Ok(()));
        for wrong in [done(1, 5000, digest), done(2, 9999, digest * 2), done(2, 10_000, digest * 2 + 1)] {
            assert!(expected.check(&wrong, 0, 2).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn blocks_are_expected_where_the_protocol_reads_them() {
        let expected = made(Operation::ReadBlock, &parameters(10_000, 1000), &[9]);
        let digest: u64 = [3, 4, 5].map(|block| Content::Random.digest(9, block * 1000, 1000)).iter().sum();
        assert_eq!(expected.check(&done(3, 3000, digest), 3, 3), Ok(()));
        assert!(expected.check(&done(3, 3000, digest), 2, 3).is_err());
    }

    #[test]
    fn several_paths_take_turns() {
        let mut two = parameters(100, 100);
        two.data.files = 2;
        let expected = made(Operation::ReadWhole, &two, &[1, 2]);
        let (a, b) = (Content::Random.digest(1, 0, 100), Content::Random.digest(2, 0, 100));
        assert_eq!(expected.check(&done(3, 300, a + b + a), 0, 3), Ok(()));
        assert_eq!(expected.check(&done(3, 300, b + a + b), 1, 3), Ok(()));
    }

    #[test]
    fn pages_count_once_however_often_they_are_read() {
        // Ten aligned blocks of 1000 bytes, read twice: three pages of 4096.
        let expected = made(Operation::ReadBlock, &parameters(10_000, 1000), &[9]);
        assert_eq!(expected.distinct_pages(0, 20, 4096), Some(3));
        assert_eq!(expected.distinct_pages(4, 1, 4096), Some(2), "block 4 lies on two");
        let whole = made(Operation::ReadWhole, &parameters(10_000, 1000), &[9]);
        assert_eq!(whole.distinct_pages(0, 1, 4096), None);
    }

    #[test]
    fn offsets_stay_inside_the_file() {
        for (access, alignment) in [
            (Access::Random, Alignment::Aligned),
            (Access::Random, Alignment::Unaligned),
            (Access::Sequential, Alignment::Aligned),
            (Access::Sequential, Alignment::Unaligned),
        ] {
            let parameters = Parameters { access, alignment, ..parameters(10_001, 1000) };
            for number in 0..500 {
                assert!(block_offset(&parameters, 10_001, 7, number) + 1000 <= 10_001);
            }
        }
    }
}

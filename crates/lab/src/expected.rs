//! What a driver must deliver: computed from the content's rule, never read
//! back from the file, so that checking does not warm what is measured.

use crate::protocol::Done;
use crate::truth::{Algorithm, Answer, answer};
use fathom_model::{Access, Alignment, Content, Operation, Parameters, Setting, splitmix64};
use std::collections::HashSet;

/// What `write-block` takes its blocks from has this many bytes.
const POOL_BYTES: u64 = 1 << 20;

/// The right answers for one process's paths and parameters.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    operation: Operation,
    parameters: Parameters,
    /// Content seed of each path.
    file_seeds: Vec<u64>,
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

/// Bytes, digest or another figure differ from what the data set holds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("wrong answer: {what} is {found}, must be {expected}, for operations {first} to {last}")]
pub(crate) struct WrongData {
    what: &'static str,
    found: u64,
    expected: u64,
    first: u64,
    last: u64,
}

impl Expected {
    pub(crate) fn new(
        operation: Operation,
        parameters: &Parameters,
        file_seeds: Vec<u64>,
        offset_seed: u64,
    ) -> Self {
        let mut expected =
            Self { operation, parameters: parameters.clone(), file_seeds, answers: Vec::new(), offset_seed };
        expected.answers = match operation {
            Operation::ReadBlock | Operation::WriteBlock => Vec::new(),
            Operation::Create => vec![created(parameters.settings.number(Setting::Write))],
            Operation::ConfigLoad => vec![all_of(&expected.answers_of_files())],
            _ => expected.answers_of_files(),
        };
        expected
    }

    /// The same, but for a method that answers wrongly: what it answered for
    /// each file is what it has to answer again.
    pub(crate) fn with_answers(&self, answers: Vec<Answer>) -> Self {
        Self { answers, ..self.clone() }
    }

    /// A batch of one operation as an answer.
    pub(crate) fn answered(&self, done: &Done) -> Answer {
        let count = self.counted().and_then(|what| done.figures.get(what).copied()).unwrap_or(0);
        Answer { bytes: done.bytes, digest: done.digest, count, crc32: 0 }
    }

    /// How many different answers there are: one for each file, or one for all.
    pub(crate) fn answers(&self) -> &[Answer] {
        &self.answers
    }

    fn answers_of_files(&self) -> Vec<Answer> {
        let algorithm = match self.parameters.settings.text(Setting::Algorithm).as_str() {
            "xxh64" => Algorithm::Xxh64,
            _ => Algorithm::Md5,
        };
        let (content, length) = (self.content(), self.bytes_read());
        let of = |&seed: &u64| answer(self.operation, content, seed, length, algorithm);
        self.file_seeds.iter().map(of).collect()
    }

    /// Bytes that operation 0 delivers.
    pub(crate) fn bytes_per_operation(&self) -> u64 {
        self.answer(0).bytes
    }

    /// CRC-32 of what `verify` speaks of: the data of operation 0, or its answer.
    pub(crate) fn crc32(&self) -> u32 {
        match self.operation {
            Operation::ReadBlock => {}
            Operation::WriteBlock => return crc32fast::hash(&self.written_block(0)),
            _ => return self.answers.first().map_or(0, |answer| answer.crc32),
        }
        let (seed, offset) = self.block(0);
        let mut block =
            vec![0; usize::try_from(self.parameters.block_bytes).expect("a block fits in memory")];
        self.content().fill(seed, offset, &mut block);
        crc32fast::hash(&block)
    }

    /// Checks a batch whose first timed operation had number `first`.
    pub(crate) fn check(&self, done: &Done, first: u64, operations: u32) -> Result<(), WrongData> {
        let last = first + u64::from(operations).saturating_sub(1);
        let wrong = |what, found, expected| Err(WrongData { what, found, expected, first, last });
        if done.operations != u64::from(operations) {
            return wrong("the number of operations", done.operations, u64::from(operations));
        }
        let mut sum = Answer::default();
        for number in first..first + u64::from(operations) {
            sum.add(&self.answer(number));
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
        Ok(())
    }

    /// How many different pages the blocks of these operations lie on: what has to
    /// be read from the device when nothing is cached and nothing else is read.
    /// `None` for operations that read no blocks.
    pub(crate) fn distinct_pages(&self, first: u64, operations: u32, page_bytes: u64) -> Option<u64> {
        if self.operation != Operation::ReadBlock {
            return None;
        }
        let mut pages = HashSet::new();
        for number in first..first + u64::from(operations) {
            let offset = block_offset(&self.parameters, self.offset_seed, number);
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
            offset: block_offset(&self.parameters, self.offset_seed, number),
            bytes: self.parameters.block_bytes,
        })
    }

    /// The further figure that must be right.
    pub(crate) fn counted(&self) -> Option<&'static str> {
        match self.operation {
            Operation::Lines => Some("lines"),
            Operation::Search => Some("matches"),
            _ => None,
        }
    }

    fn content(&self) -> Content {
        self.parameters.data.content
    }

    /// Bytes of the file that one operation looks at.
    fn bytes_read(&self) -> u64 {
        let data = &self.parameters.data;
        match self.operation {
            Operation::Null
            | Operation::OpenClose
            | Operation::OpenMissing
            | Operation::OpenWriteClose
            | Operation::Create => 0,
            Operation::OpenReadClose => self.parameters.block_bytes.min(data.size_bytes),
            Operation::ReadBlock | Operation::WriteBlock => self.parameters.block_bytes,
            Operation::ReadWhole
            | Operation::Lines
            | Operation::Search
            | Operation::Hash
            | Operation::Copy
            | Operation::ConfigLoad
            | Operation::Template
            | Operation::Reload => data.size_bytes,
        }
    }

    fn answer(&self, number: u64) -> Answer {
        let bytes = self.parameters.block_bytes;
        match self.operation {
            Operation::ReadBlock => {}
            Operation::WriteBlock => {
                return Answer { bytes, digest: self.written_digest(number), ..Answer::default() };
            }
            _ => return self.answers[self.answer_of(number)],
        }
        let (seed, offset) = self.block(number);
        Answer { bytes, digest: self.content().digest(seed, offset, bytes), ..Answer::default() }
    }

    fn answer_of(&self, number: u64) -> usize {
        usize::try_from(number % self.answers.len() as u64).expect("below the number of answers")
    }

    /// The block that operation `number` of `write-block` writes (drivers/PROTOCOL.md).
    fn written_block(&self, number: u64) -> Vec<u8> {
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
        let paths = self.file_seeds.len() as u64;
        usize::try_from(number % paths).expect("below the number of paths")
    }

    /// Content seed and offset of the block that operation `number` reads.
    fn block(&self, number: u64) -> (u64, u64) {
        let seed = self.file_seeds[self.path_of(number)];
        (seed, block_offset(&self.parameters, self.offset_seed, number))
    }
}

/// What `create` answers when it writes so many bytes: they, and no digest.
fn created(write_bytes: u64) -> Answer {
    let mut data = vec![0; usize::try_from(write_bytes).expect("a file's data fits in memory")];
    Content::Pattern.fill(0, 0, &mut data);
    Answer { bytes: write_bytes, crc32: crc32fast::hash(&data), ..Answer::default() }
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
fn block_offset(parameters: &Parameters, seed: u64, number: u64) -> u64 {
    let (size, block) = (parameters.data.size_bytes, parameters.block_bytes);
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

    fn done(operations: u64, bytes: u64, digest: u64) -> Done {
        Done { operations, ns: 1, bytes, digest, ..Done::default() }
    }

    #[test]
    fn a_lost_byte_or_operation_and_a_wrong_digest_are_found() {
        let expected = Expected::new(Operation::ReadWhole, &parameters(5000, 4096), vec![9], 1);
        let digest = Content::Random.digest(9, 0, 5000);
        assert_eq!(expected.check(&done(2, 10_000, digest * 2), 0, 2), Ok(()));
        for wrong in [done(1, 5000, digest), done(2, 9999, digest * 2), done(2, 10_000, digest * 2 + 1)] {
            assert!(expected.check(&wrong, 0, 2).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn blocks_are_expected_where_the_protocol_reads_them() {
        let expected = Expected::new(Operation::ReadBlock, &parameters(10_000, 1000), vec![9], 1);
        let digest: u64 = [3, 4, 5].map(|block| Content::Random.digest(9, block * 1000, 1000)).iter().sum();
        assert_eq!(expected.check(&done(3, 3000, digest), 3, 3), Ok(()));
        assert!(expected.check(&done(3, 3000, digest), 2, 3).is_err());
    }

    #[test]
    fn several_paths_take_turns() {
        let mut two = parameters(100, 100);
        two.data.files = 2;
        let expected = Expected::new(Operation::ReadWhole, &two, vec![1, 2], 1);
        let (a, b) = (Content::Random.digest(1, 0, 100), Content::Random.digest(2, 0, 100));
        assert_eq!(expected.check(&done(3, 300, a + b + a), 0, 3), Ok(()));
        assert_eq!(expected.check(&done(3, 300, b + a + b), 1, 3), Ok(()));
    }

    #[test]
    fn pages_count_once_however_often_they_are_read() {
        // Ten aligned blocks of 1000 bytes, read twice: three pages of 4096.
        let expected = Expected::new(Operation::ReadBlock, &parameters(10_000, 1000), vec![9], 1);
        assert_eq!(expected.distinct_pages(0, 20, 4096), Some(3));
        assert_eq!(expected.distinct_pages(4, 1, 4096), Some(2), "block 4 lies on two");
        let whole = Expected::new(Operation::ReadWhole, &parameters(10_000, 1000), vec![9], 1);
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
                assert!(block_offset(&parameters, 7, number) + 1000 <= 10_001);
            }
        }
    }
}

//! How each operation is run while its calls are counted: one small setting,
//! in Fathom's words and in those of a driver program run by hand.

use fathom_model::{AnswerKind, Operation, WorksOn};

/// Bytes of a file, unless something else is said; three blocks, the last cut short.
const SIZE_BYTES: u64 = 10_000;
const BLOCK_BYTES: u64 = 4096;
/// What files made anew hold in the end, in bytes.
const CREATED_BYTES: u64 = 10;

/// Files, blocks and further settings of one operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) operation: Operation,
    /// `None` where the operation itself says how large its files are.
    size_bytes: Option<u64>,
    has_blocks: bool,
}

impl Setting {
    /// Of an operation that a driver performs.
    pub(crate) fn of(driver: &str, operation: Operation) -> Self {
        let size_bytes = match operation {
            Operation::Null => None,
            _ if operation.takes_documents() => None,
            // A reader of Zig's reads ahead as far as its file goes, and a block that
            // was read ahead costs no call: with a single block nothing is drawn.
            _ if operation.reads_blocks() && driver == "zig" => Some(BLOCK_BYTES),
            _ => Some(SIZE_BYTES),
        };
        let has_blocks = operation.takes_buffer()
            && !operation.takes_documents()
            && operation.facts().answer != AnswerKind::HeldData;
        Self { operation, size_bytes, has_blocks }
    }

    /// How many files an operation works on.
    pub(crate) fn files(self) -> usize {
        if self.operation.facts().works_on == WorksOn::AllFiles { 2 } else { 1 }
    }

    /// True when a batch is to find files of its own.
    pub(crate) fn finds_own_files(self) -> bool {
        self.operation.facts().works_on == WorksOn::OwnFiles
            && !fathom_model::Setting::Existing.concerns(self.operation)
    }

    /// The words after `fathom bench`.
    pub(crate) fn bench_words(self) -> String {
        let size = self.size_bytes.map(|size| format!(" --size {size}")).unwrap_or_default();
        let block = if self.has_blocks { format!(" --block {BLOCK_BYTES}") } else { String::new() };
        let facts = self.operation.facts();
        let more = match (facts.leaves, facts.works_on) {
            (Some(setting), _) => format!(" --set {setting}={CREATED_BYTES}"),
            (_, WorksOn::AllFiles) => format!(" --content config-json --files {}", self.files()),
            // What else writes from the middle of a file has to seek as the seed says.
            (_, WorksOn::OwnFile) => " --access sequential".to_owned(),
            _ => String::new(),
        };
        format!("{} --seed 1{size}{block}{more}", self.operation.word())
    }

    /// The words after `DRIVER run`, without method, paths and size.
    pub(crate) fn driver_words(self) -> Vec<String> {
        let mut words: Vec<String> = vec!["--operation".into(), self.operation.word().into()];
        let mut more = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
        if self.has_blocks {
            more("--block", &BLOCK_BYTES.to_string());
        }
        let facts = self.operation.facts();
        match (facts.leaves, facts.works_on) {
            (Some(setting), _) => {
                let argument = setting.argument().expect("the driver makes the file");
                more(&format!("--{argument}"), &CREATED_BYTES.to_string());
            }
            (_, WorksOn::OwnFile) => more("--access", "sequential"),
            _ => {}
        }
        words
    }
}

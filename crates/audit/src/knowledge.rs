//! What is known of patterns: whose they are, and where others found the same. The
//! knowledge is data: `knowledge.toml`.

use crate::finding::{Owner, RuleId};
use crate::signs::Signs;
use memchr::memchr_iter;
use serde::Deserialize;
use std::sync::LazyLock;

/// `knowledge.toml` as `build.rs` wrote it: JSON is read in a quarter of the instructions, before each
/// command that is watched.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/knowledge.json"));
static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(Knowledge::read);

/// Runtimes and patterns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Knowledge {
    runtimes: Vec<Runtime>,
    /// Names of programs that measure files.
    measurers: Vec<String>,
    patterns: Vec<Pattern>,
    /// The letters behind the slashes with which parts of paths begin that a runtime opens, each a bit.
    #[serde(skip)]
    opened_letters: u128,
}

/// How the runtime of a language is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Runtime {
    name: String,
    /// Beginnings of the program's name.
    #[serde(default)]
    programs: Vec<String>,
    /// Whole names of programs.
    #[serde(default)]
    named: Vec<String>,
    /// Parts of paths that only it opens, whatever it is called.
    #[serde(default)]
    opens: Vec<String>,
    /// Parts of paths that are mapped as code where it runs: its library.
    #[serde(default)]
    maps: Vec<String>,
    /// Names that only it looks for where nothing is. Others open what is there: a search through the
    /// folders of its modules, a copy of them.
    #[serde(default)]
    looks_for: Vec<String>,
    /// By what its own calls are told.
    #[serde(default)]
    signs: Signs,
}

/// A pattern that was seen elsewhere.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    rule: RuleId,
    /// Only of the rule's pattern of this number, from 1.
    number: Option<u32>,
    /// Only in programs of this runtime.
    runtime: Option<String>,
    /// Whose code it is then.
    owner: Option<Owner>,
    /// Also where no sign tells that the runtime itself makes the call.
    #[serde(default)]
    anywhere: bool,
    #[serde(default)]
    references: Vec<String>,
    /// Advice for this case instead of the rule's.
    fix: Option<String>,
}

/// What is known of one finding.
#[derive(Debug, Default)]
pub(crate) struct Known<'a> {
    pub(crate) owner: Option<Owner>,
    pub(crate) references: Vec<String>,
    pub(crate) fix: Option<&'a str>,
}

impl Knowledge {
    /// All of it.
    pub(crate) fn load() -> &'static Self {
        &KNOWLEDGE
    }

    fn read() -> Self {
        let mut knowledge: Self = serde_json::from_str(TEXT).expect("a test reads it");
        let parts = knowledge.runtimes.iter().flat_map(|runtime| &runtime.opens);
        knowledge.opened_letters = parts
            .filter_map(|part| part.as_bytes().get(1))
            .fold(0, |bits, letter| bits | letter_bit(*letter));
        knowledge
    }

    /// The signs of each runtime, by its index.
    pub(crate) fn signs(&self) -> Vec<Signs> {
        self.runtimes.iter().map(|runtime| runtime.signs.clone()).collect()
    }

    /// The runtime that a program is, by its name.
    pub(crate) fn runtime_of_program(&self, name: &str) -> Option<usize> {
        let is = |runtime: &Runtime| {
            runtime.programs.iter().any(|program| name.starts_with(program.as_str()))
                || runtime.named.iter().any(|program| program == name)
        };
        self.runtimes.iter().position(is)
    }

    /// What a runtime is called.
    pub(crate) fn runtime_name(&self, runtime: usize) -> &str {
        &self.runtimes[runtime].name
    }

    /// True of a program that measures files: what it does again it means to.
    pub(crate) fn is_measurer(&self, name: &str) -> bool {
        self.measurers.iter().any(|measurer| measurer == name)
    }

    /// The runtime that opens such a file.
    pub(crate) fn runtime_of_open(&self, path: &str) -> Option<usize> {
        // Parts begin with a slash: they are looked for where one is, before such a letter.
        let bytes = path.as_bytes();
        let is_at = |at: usize, runtime: &Runtime| {
            runtime.opens.iter().any(|part| bytes[at..].starts_with(part.as_bytes()))
        };
        let is_letter = |letter: &u8| self.opened_letters & letter_bit(*letter) != 0;
        let begins = |at: &usize| bytes.get(at + 1).is_some_and(is_letter);
        let slashes = memchr_iter(b'/', bytes).filter(begins);
        slashes.filter_map(|at| self.runtimes.iter().position(|runtime| is_at(at, runtime))).min()
    }

    /// The runtime whose library is mapped as code.
    pub(crate) fn runtime_of_code(&self, path: &str) -> Option<usize> {
        let is = |runtime: &Runtime| runtime.maps.iter().any(|part| path.contains(part.as_str()));
        self.runtimes.iter().position(is)
    }

    /// The runtime that alone looks in vain for files of such a name: a script which is run by its own name is
    /// known by that.
    pub(crate) fn runtime_that_looks_for(&self, name: &str) -> Option<usize> {
        let is = |runtime: &Runtime| {
            runtime.looks_for.iter().any(|known| known == name) || runtime.signs.is_beside(name)
        };
        self.runtimes.iter().position(is)
    }

    /// What is known of a finding of one of a rule's patterns in a program of that runtime: what is
    /// known of the runtime goes before what holds everywhere.
    pub(crate) fn of(
        &self,
        (rule, number): (RuleId, u32),
        runtime: Option<usize>,
        is_runtimes: bool,
    ) -> Known<'_> {
        let runtime = runtime.and_then(|index| self.runtimes.get(index)).map(|runtime| runtime.name.as_str());
        let mut known = Known::default();
        let fitting = |own: bool| {
            let is_fit = move |pattern: &&Pattern| match &pattern.runtime {
                Some(name) => own && Some(name.as_str()) == runtime && (is_runtimes || pattern.anywhere),
                None => !own,
            };
            let is_asked = move |pattern: &&Pattern| {
                pattern.rule == rule && pattern.number.is_none_or(|known| known == number)
            };
            self.patterns.iter().filter(is_asked).filter(is_fit)
        };
        for pattern in fitting(true).chain(fitting(false)) {
            known.owner = known.owner.or(pattern.owner);
            known.fix = known.fix.or(pattern.fix.as_deref());
            for reference in &pattern.references {
                if !known.references.contains(reference) {
                    known.references.push(reference.clone());
                }
            }
        }
        known.owner = known.owner.or(is_runtimes.then_some(Owner::Runtime));
        known
    }
}

/// The bit of a letter; all beyond ASCII have one.
fn letter_bit(letter: u8) -> u128 {
    1 << letter.min(127)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_list::rule_facts;

    #[test]
    fn the_knowledge_names_rules_and_runtimes_that_are_there() {
        let knowledge = Knowledge::load();
        for pattern in &knowledge.patterns {
            assert!(rule_facts().iter().any(|rule| rule.id == pattern.rule), "{pattern:?}");
            let names = |runtime: &String| knowledge.runtimes.iter().any(|known| known.name == *runtime);
            assert!(pattern.runtime.as_ref().is_none_or(names), "{pattern:?}");
            assert!(!pattern.references.is_empty() || pattern.fix.is_some(), "{pattern:?}");
        }
        let mut opens = knowledge.runtimes.iter().flat_map(|runtime| &runtime.opens);
        assert!(opens.all(|part| part.starts_with('/')), "they are looked for at slashes alone");
        assert!(std::ptr::eq(knowledge, Knowledge::load()), "it is read once");
        assert!(knowledge.runtime_of_code("/usr/lib/jvm/lib/server/libjvm.so").is_some());
        assert!(knowledge.runtime_of_open("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").is_some());
        assert_eq!(knowledge.runtime_of_open("/data/libjvm.so"), None, "others may open it");
    }

    #[test]
    fn go_asks_before_it_makes_directories_and_never_before_it_removes() {
        let knowledge = Knowledge::load();
        let go = knowledge.runtimes.iter().position(|runtime| runtime.name == "go");
        assert_eq!(knowledge.of((RuleId(57), 1), go, false).owner, Some(Owner::Runtime));
        let removes = knowledge.of((RuleId(57), 2), go, false);
        assert_eq!((removes.owner, removes.fix), (None, None), "os.Stat before os.Remove is the program's");
    }

    #[test]
    fn what_is_known_of_a_runtime_goes_first() {
        let knowledge = Knowledge::load();
        let python = knowledge.runtime_of_program("python3.11");
        let known = knowledge.of((RuleId(4), 1), python, true);
        assert_eq!((known.owner, known.references[0].as_str()), (Some(Owner::Runtime), "cpython#124922"));
        let told = known.references.iter().filter(|reference| *reference == "cpython#124922");
        assert_eq!(told.count(), 1, "the runtime's patterns name it, and so do everybody's");
        assert_eq!(knowledge.of((RuleId(4), 1), python, false).owner, None, "a call of the program's own");
        assert_eq!(knowledge.of((RuleId(4), 1), None, false).owner, None);
        assert_eq!(python, knowledge.runtime_that_looks_for("pyvenv.cfg"));
    }
}

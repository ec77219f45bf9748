//! What sets a method apart from the others of its operation, so that its time is not
//! theirs: seen in its calls and its answers, or known of the method and listed in
//! `method_caveat/known.toml`.

use fathom_model::{Comparison, CountPass, Operation, RecipeStep, ValidityFlag, ValidityProblem};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    toml::from_str(include_str!("method_caveat/known.toml")).expect("a test of this file has parsed it")
});

/// Something about a method that its time does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodCaveat {
    /// It answers wrongly, or is known to on other files.
    AnswersWrongly,
    /// A function of the user's, whose answer is not the file's bytes or not the others' count.
    AnswersOtherwise,
    /// It read no data, where others did ([`fathom_model::ValidityProblem::ReadNothing`]).
    ReadsNothing,
    /// Of the data it reads one byte of every page.
    TouchesOneByteAPage,
    /// Its descriptor cannot be read from (`O_PATH`).
    OpensNothingReadable,
    /// Its descriptor survives an exec (no `O_CLOEXEC`).
    InheritedByChildren,
    /// It reads the device, whatever is cached (`O_DIRECT`).
    BypassesPageCache,
    /// It reads into memory that it uses again, where the usual way makes new: seen in the allocations of both.
    ReusesMemory,
}

impl MethodCaveat {
    /// The word of machines: `touches-one-byte-a-page`.
    pub fn code(self) -> &'static str {
        match self {
            Self::AnswersWrongly => "answers-wrongly",
            Self::AnswersOtherwise => "answers-otherwise",
            Self::ReadsNothing => "reads-nothing",
            Self::TouchesOneByteAPage => "touches-one-byte-a-page",
            Self::OpensNothingReadable => "opens-nothing-readable",
            Self::InheritedByChildren => "inherited-by-children",
            Self::BypassesPageCache => "bypasses-page-cache",
            Self::ReusesMemory => "reuses-memory",
        }
    }

    /// What is said behind the method's name: `touches one byte of every 4096`.
    pub fn words(self) -> &'static str {
        match self {
            Self::AnswersWrongly => "its answer is wrong, or is known to be wrong on other files",
            Self::AnswersOtherwise => "its answer differs",
            Self::ReadsNothing => "it read no data, where the others did",
            Self::TouchesOneByteAPage => "touches one byte of every 4096, where the others read all",
            Self::OpensNothingReadable => "its descriptor cannot be read from, it stands for the path alone",
            Self::InheritedByChildren => "no O_CLOEXEC: programs it executes may inherit the descriptor",
            Self::BypassesPageCache => "O_DIRECT: its reads bypass the page cache",
            Self::ReusesMemory => "into one buffer: who keeps the data has to allocate as the usual way does",
        }
    }

    /// True when a method of which it holds did less than the others, so that it
    /// may not come first among them.
    pub fn keeps_from_ranking(self) -> bool {
        match self {
            Self::AnswersWrongly
            | Self::AnswersOtherwise
            | Self::ReadsNothing
            | Self::TouchesOneByteAPage
            | Self::OpensNothingReadable => true,
            Self::InheritedByChildren | Self::BypassesPageCache | Self::ReusesMemory => false,
        }
    }
}

/// What holds of a variant of a comparison, those that keep it from ranking first.
pub fn method_caveats(comparison: &Comparison, variant: usize) -> Vec<MethodCaveat> {
    let mut found = Vec::new();
    let Some(of) = comparison.variants.get(variant) else { return found };
    let answered = comparison.answers.get(variant);
    if answered.is_some_and(|answered| answered.disagrees.is_some()) {
        found.push(MethodCaveat::AnswersOtherwise);
    } else if answered.is_some_and(|answered| !answered.is_right() || answered.flaw.is_some()) {
        found.push(MethodCaveat::AnswersWrongly);
    }
    let is_empty =
        |flag: &ValidityFlag| flag.problem == ValidityProblem::ReadNothing && flag.sides.contains(&variant);
    found.extend(comparison.validity.iter().any(is_empty).then_some(MethodCaveat::ReadsNothing));
    let driver = of.method.driver.split('@').next().unwrap_or_default();
    found.extend(KNOWN.of(driver, &of.method.name, of.operation));
    if let Some(pass) = comparison.counts.get(variant).and_then(fathom_model::Reading::value) {
        found.extend(of_flags(pass));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The variants that stand beside the ranking, each with the reason; none where all do as little.
pub fn unranked(comparison: &Comparison) -> Vec<(usize, MethodCaveat)> {
    let variants = 0..comparison.variants.len();
    let against = |variant: usize| {
        let caveats = method_caveats(comparison, variant);
        caveats.into_iter().find(|caveat| caveat.keeps_from_ranking())
    };
    let found: Vec<_> = variants.filter_map(|variant| Some((variant, against(variant)?))).collect();
    // Those that answer differently did not do the same, however many they are.
    let differ = found.iter().any(|(_, caveat)| *caveat == MethodCaveat::AnswersOtherwise);
    if found.len() == comparison.variants.len() && !differ { Vec::new() } else { found }
}

/// What the flags say with which an operation opened its files.
fn of_flags(pass: &CountPass) -> Vec<MethodCaveat> {
    let opens: Vec<_> = pass.recipe.iter().filter_map(open_flags).collect();
    let has = |flag: &str| opens.iter().any(|flags| flags.contains(&flag));
    let lacks = |flag: &str| opens.iter().any(|flags| !flags.contains(&flag));
    let set_later =
        pass.recipe.iter().any(|step| step.call == "fcntl" && step.arguments.contains("FD_CLOEXEC"));
    let mut found = Vec::new();
    if has("O_PATH") {
        found.push(MethodCaveat::OpensNothingReadable);
    }
    if lacks("O_CLOEXEC") && !set_later {
        found.push(MethodCaveat::InheritedByChildren);
    }
    if has("O_DIRECT") {
        found.push(MethodCaveat::BypassesPageCache);
    }
    found
}

/// The flags of a successful open of a measured file or of one that is made: `["O_RDONLY", "O_CLOEXEC"]`.
fn open_flags(step: &RecipeStep) -> Option<Vec<&str>> {
    let is_open = matches!(step.call.as_str(), "open" | "openat" | "openat2") && !step.failed;
    let mut arguments = step.arguments.split(", ");
    let path =
        arguments.next().filter(|path| is_open && (path.starts_with("FILE") || path.starts_with("DIR")));
    Some(path.and(arguments.find(|word| word.starts_with("O_")))?.split('|').collect())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    methods: Vec<KnownMethods>,
}

/// Methods of one driver of which a caveat holds in some operations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownMethods {
    caveat: MethodCaveat,
    driver: String,
    names: Vec<String>,
    operations: Vec<Operation>,
}

impl Known {
    fn of(&self, driver: &str, name: &str, operation: Operation) -> Vec<MethodCaveat> {
        let holds = |of: &&KnownMethods| {
            of.driver == driver
                && of.operations.contains(&operation)
                && of.names.iter().any(|known| known == name)
        };
        self.methods.iter().filter(holds).map(|of| of.caveat).collect()
    }
}

#[cfg(test)]
mod tests;

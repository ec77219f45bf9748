//! Two sides of a change, run by run: which classes of calls became more or fewer, beyond what either side
//! varies by itself.
//!
//! A class is looked at by its path first, then what is left by directory and ending, then by the call
//! alone: where names vary, the sum may not.

use crate::budget_outcome::BudgetOutcome;
use crate::classed_calls::{CallClass, ClassedCalls, CodeLine, RunCalls};
use crate::difference::FindingDifference;
use crate::prices::Prices;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of this form. It rises when a reader of the older form would misread the newer one.
pub const CHANGE_REPORT_VERSION: u32 = 1;

/// More rows of one call than this are told as one, with the directory that holds them all.
const ROWS_OF_A_CALL: usize = 6;

/// What tells this kind of file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeReportKind {
    /// Commands run on two sides of a change.
    ChangeReport,
}

/// How the calls of a project's commands differ between two sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeReport {
    /// What this file is.
    pub kind: ChangeReportKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The older side.
    pub base: ComparedSide,
    /// The newer side.
    pub head: ComparedSide,
    /// Where unit costs come from, or why there are none.
    pub prices: String,
    /// Every command.
    pub commands: Vec<CommandChange>,
    /// What was replaced in it before it was written, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

/// One of the two sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedSide {
    /// What the user called it: a ref, a directory, a binary, a trace.
    pub name: String,
    /// The commit, of a ref.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Of the older side: the last commit that both sides came from, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ancestor: Option<String>,
    /// Files that git follows with changes that are in no commit, and so in no checkout, where this
    /// side is what is checked out here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncommitted_files: Option<u64>,
}

/// One command on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandChange {
    /// Its name.
    pub name: String,
    /// Its words.
    pub command: Vec<String>,
    /// What came out.
    pub verdict: ChangeVerdict,
    /// Counted runs of each side.
    pub runs: u32,
    /// How its calls were captured.
    pub capture: Option<String>,
    /// How the calls differ.
    pub calls: RunsDifference,
    /// Findings that are new, more, fewer or gone.
    pub findings: Vec<FindingDifference>,
    /// Budgets of the newer side; of several runs the worst.
    pub budgets: Vec<BudgetOutcome>,
    /// What was not seen.
    pub gaps: Vec<SideGap>,
    /// What else is to be known.
    pub notes: Vec<String>,
}

/// What came out of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeVerdict {
    /// No count changed.
    Same,
    /// Counts changed.
    Changed,
    /// It cannot be known, for this reason.
    NotKnown(String),
}

/// What was not seen of a side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SideGap {
    /// `base` or `head`.
    pub side: String,
    /// What is missing, in a sentence.
    pub text: String,
}

/// How the calls of several runs of two sides differ.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunsDifference {
    /// What changed, the most expensive first, then the largest.
    pub changes: Vec<CallChange>,
    /// Classes that did not change.
    pub same: u64,
    /// Classes that vary between runs of one side.
    pub varying: u64,
    /// All counted calls of a run of the older side.
    pub base: CountRange,
    /// The same of the newer side.
    pub head: CountRange,
}

/// From the least to the most in any run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountRange {
    /// The least.
    pub low: u64,
    /// The most.
    pub high: u64,
}

/// A class of calls whose number changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallChange {
    /// What calls are matched by.
    pub class: CallClass,
    /// How many paths it stands for.
    pub paths: u64,
    /// The line of the user's code that makes the most of the difference, where stacks were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<CodeLine>,
    /// How many there were.
    pub base: CountRange,
    /// How many there are.
    pub head: CountRange,
    /// What one costs, in ns; `None` without a price.
    pub unit_ns: Option<f64>,
    /// What the difference costs, in ns; negative where it saves. `None` without a price, or where counts vary.
    pub total_ns: Option<f64>,
}

impl CountRange {
    fn of(counts: &[u64]) -> Self {
        Self {
            low: counts.iter().min().copied().unwrap_or(0),
            high: counts.iter().max().copied().unwrap_or(0),
        }
    }

    /// True where it is one number.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    fn is_apart(self, other: Self) -> bool {
        self.high < other.low || other.high < self.low
    }
}

impl CallChange {
    /// The least that the number rose by; below 0 the least that it fell by.
    pub fn least(&self) -> i64 {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        if self.head.low > self.base.high {
            number(self.head.low - self.base.high)
        } else {
            -number(self.base.low.saturating_sub(self.head.high))
        }
    }
}

impl RunsDifference {
    /// How many calls more a run makes at least, by what changed; below 0 fewer.
    pub fn more_calls(&self) -> i64 {
        self.changes.iter().map(CallChange::least).sum()
    }

    /// What the changes that have a price cost together, in ns.
    pub fn price_ns(&self) -> Option<f64> {
        let prices: Vec<f64> = self.changes.iter().filter_map(|change| change.total_ns).collect();
        (!prices.is_empty()).then(|| prices.iter().sum())
    }
}

/// True where two runs of one side differ in any count.
pub fn is_varying(runs: &[RunCalls]) -> bool {
    runs.windows(2).any(|pair| counts(&pair[0]) != counts(&pair[1]))
}

fn counts(run: &RunCalls) -> Vec<(&CallClass, u64)> {
    run.iter().map(|(class, calls)| (class, calls.count)).collect()
}

/// One class in every run of both sides.
#[derive(Debug, Clone)]
struct Row {
    class: CallClass,
    paths: BTreeSet<String>,
    base: Vec<u64>,
    head: Vec<u64>,
    /// Of the first run of each side.
    first: [ClassedCalls; 2],
}

impl Row {
    fn new(class: CallClass, runs: [usize; 2]) -> Self {
        let [base, head] = runs.map(|runs| vec![0; runs]);
        Self { class, paths: BTreeSet::new(), base, head, first: Default::default() }
    }

    fn ranges(&self) -> [CountRange; 2] {
        [CountRange::of(&self.base), CountRange::of(&self.head)]
    }

    fn is_changed(&self) -> bool {
        let [base, head] = self.ranges();
        base.is_apart(head)
    }

    fn is_varying(&self) -> bool {
        self.ranges().iter().any(|range| !range.is_exact())
    }

    fn rises(&self) -> bool {
        let [base, head] = self.ranges();
        base.high < head.low
    }

    fn add(&mut self, other: &Self) {
        self.paths.extend(other.paths.iter().cloned());
        for (mine, theirs) in [(&mut self.base, &other.base), (&mut self.head, &other.head)] {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
        for (mine, theirs) in self.first.iter_mut().zip(&other.first) {
            mine.count += theirs.count;
            mine.conditions.extend(theirs.conditions.iter().cloned());
            for (line, count) in &theirs.lines {
                *mine.lines.entry(line.clone()).or_default() += count;
            }
        }
    }
}

/// Compares runs of two sides, each with at least one.
pub fn compare_runs(base: &[RunCalls], head: &[RunCalls], prices: &dyn Prices) -> RunsDifference {
    let rows = rows(base, head);
    let varying = rows.iter().filter(|row| row.is_varying()).count() as u64;
    let kinds = rows.len() as u64;
    let mut changed = Vec::new();
    let mut rest = rows;
    for level in LEVELS {
        let (apart, same): (Vec<_>, Vec<_>) =
            summed(rest.iter(), level).into_iter().partition(|(_, row)| row.is_changed());
        let kept: BTreeSet<CallClass> = same.into_iter().map(|(class, _)| class).collect();
        rest.retain(|row| kept.contains(&level(&row.class)));
        changed.extend(apart.into_iter().map(|(_, row)| row));
    }
    let paths = changed.iter().map(|row| row.paths.len() as u64).sum::<u64>();
    let mut changes: Vec<CallChange> = folded(changed).into_iter().map(|row| change(&row, prices)).collect();
    changes.sort_by(|one, other| {
        let ns = |change: &CallChange| change.total_ns.map_or(0.0, f64::abs);
        let by_price = ns(other).total_cmp(&ns(one));
        by_price.then(other.least().abs().cmp(&one.least().abs())).then(one.class.cmp(&other.class))
    });
    let total = |runs: &[RunCalls]| {
        let sums = runs.iter().map(|run| run.values().map(|calls| calls.count).sum());
        CountRange::of(&sums.collect::<Vec<u64>>())
    };
    RunsDifference {
        changes,
        same: kinds.saturating_sub(paths),
        varying,
        base: total(base),
        head: total(head),
    }
}

fn rows(base: &[RunCalls], head: &[RunCalls]) -> Vec<Row> {
    let runs = [base.len(), head.len()];
    let mut rows: BTreeMap<&CallClass, Row> = BTreeMap::new();
    for (side, each) in [base, head].into_iter().enumerate() {
        for (number, run) in each.iter().enumerate() {
            for (class, calls) in run {
                let row = rows.entry(class).or_insert_with(|| Row::new(class.clone(), runs));
                row.paths.insert(class.path.clone());
                let counts = if side == 0 { &mut row.base } else { &mut row.head };
                counts[number] = calls.count;
                if number == 0 {
                    row.first[side] = calls.clone();
                }
            }
        }
    }
    rows.into_values().collect()
}

/// What classes are summed by, from fine to coarse.
pub(crate) const LEVELS: [fn(&CallClass) -> CallClass; 3] =
    [CallClass::clone, by_directory, |class| CallClass { path: "(various)".to_owned(), ..class.clone() }];

/// `/data/a.txt` as `/data/*.txt`.
fn by_directory(class: &CallClass) -> CallClass {
    let Some((directory, name)) = class.path.rsplit_once('/') else { return class.clone() };
    let ending = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.len() <= 8 => format!(".{ending}"),
        _ => String::new(),
    };
    CallClass { path: format!("{directory}/*{ending}"), ..class.clone() }
}

fn summed<'a>(
    rows: impl Iterator<Item = &'a Row>,
    level: fn(&CallClass) -> CallClass,
) -> BTreeMap<CallClass, Row> {
    let mut sums: BTreeMap<CallClass, Row> = BTreeMap::new();
    for row in rows {
        let class = level(&row.class);
        let runs = [row.base.len(), row.head.len()];
        sums.entry(class.clone()).or_insert_with(|| Row::new(class, runs)).add(row);
    }
    sums
}

/// Rows of one call that all rise or all fall, told as one: by directory and ending where there are
/// several, below one directory where there are many.
fn folded(changed: Vec<Row>) -> Vec<Row> {
    let by = |rows: Vec<Row>, class: &dyn Fn(&Row) -> CallClass, more_than: &dyn Fn(usize) -> bool| {
        let mut groups: BTreeMap<(CallClass, bool), Vec<Row>> = BTreeMap::new();
        for row in rows {
            groups.entry((class(&row), row.rises())).or_default().push(row);
        }
        let mut folded = Vec::new();
        for ((class, _), mut rows) in groups {
            if !more_than(rows.len()) {
                folded.append(&mut rows);
                continue;
            }
            let mut sum = Row::new(class, [rows[0].base.len(), rows[0].head.len()]);
            for row in &rows {
                sum.add(row);
            }
            if sum.class.path.is_empty() {
                sum.class.path = format!("{}/**", common_directory(&sum.paths));
            }
            folded.push(sum);
        }
        folded
    };
    let by_ending = by(changed, &|row| by_directory(&row.class), &|rows| rows > 1);
    let nowhere = |row: &Row| CallClass { path: String::new(), ..row.class.clone() };
    by(by_ending, &nowhere, &|rows| rows > ROWS_OF_A_CALL)
}

fn common_directory(paths: &BTreeSet<String>) -> String {
    let (Some(first), Some(last)) = (paths.first(), paths.last()) else { return String::new() };
    let shared = first.split('/').zip(last.split('/')).take_while(|(one, other)| one == other);
    shared.map(|(word, _)| word).collect::<Vec<_>>().join("/")
}

fn change(row: &Row, prices: &dyn Prices) -> CallChange {
    let [base, head] = row.ranges();
    let cost = |calls: &ClassedCalls| -> Option<f64> {
        let each = calls.conditions.iter();
        each.map(|call| Some(prices.price(call)?.wall_ns.value * call.count as f64)).sum()
    };
    let [old, new] = &row.first;
    let unit_of = |calls: &ClassedCalls| Some(cost(calls)? / calls.count as f64).filter(|_| calls.count > 0);
    let is_exact = base.is_exact() && head.is_exact();
    CallChange {
        class: row.class.clone(),
        paths: row.paths.len() as u64,
        line: line(row),
        base,
        head,
        unit_ns: if head.high > base.high { unit_of(new) } else { unit_of(old) },
        total_ns: cost(new).zip(cost(old)).filter(|_| is_exact).map(|(new, old)| new - old),
    }
}

/// The line of your code that makes the difference: of the function whose calls differ most, on the side
/// that makes them. Where several lines of it make such calls, numbers tell nothing, since every line below a
/// change has another number: their texts do. Where those were not read, or do not differ, the function
/// alone is known.
fn line(row: &Row) -> Option<CodeLine> {
    let [old, new] = &row.first;
    let (more, fewer) = if row.rises() { (new, old) } else { (old, new) };
    let is_of =
        |line: &CodeLine, other: &CodeLine| (&line.function, &line.file) == (&other.function, &other.file);
    let surplus = |is: &dyn Fn(&CodeLine) -> bool| {
        let sum = |calls: &ClassedCalls| -> u64 {
            calls.lines.iter().filter(|(line, _)| is(line)).map(|(_, count)| count).sum()
        };
        sum(more).saturating_sub(sum(fewer))
    };
    let of_function = |line: &&CodeLine| surplus(&|other| is_of(other, line));
    let best = more.lines.keys().max_by_key(of_function).filter(|line| of_function(line) > 0)?;
    let lines: Vec<_> = more.lines.keys().filter(|line| is_of(line, best)).collect();
    let of_text = |line: &&CodeLine| surplus(&|other| is_of(other, line) && other.text == line.text);
    if let [only] = lines.as_slice() {
        return Some((*only).clone());
    }
    let is_read = lines.iter().all(|line| line.text.is_some());
    let known = lines.into_iter().rev().max_by_key(of_text).filter(|line| is_read && of_text(line) > 0);
    Some(known.map_or_else(|| CodeLine { line: None, text: None, ..best.clone() }, CodeLine::clone))
}

#[cfg(test)]
mod tests;

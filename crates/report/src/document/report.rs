//! The whole report: what it begins with, and the order of its parts.

use crate::document::context::{Context, slug};
use crate::document::{
    Block, Cell, Column, ColumnKind, Document, Item, Prose, Row, Section, Span, Table, Tone, beside,
    decisions, experiment, ids, lead, machine, method, trust,
};
use crate::palette::Palette;
use crate::quantity::things;
use crate::summary::answer_behind_name;
use crate::verdicts;
use fathom_claims::{JudgedClaim, Judgement, judge};
use fathom_model::{ExperimentRecord, Record};
use fathom_stats::{CompareOptions, DecisionSource, compare_records, decision_matrix};
use std::collections::BTreeSet;

/// All verdicts of a report hold together with this error.
const ALPHA: f64 = 0.05;

/// The section on how all of it was measured.
pub(crate) const METHOD_SECTION: &str = "method";

/// From so many comparisons on, each has to be brief.
const LONG_FROM: usize = 12;

/// A record and what its reader calls it.
#[derive(Debug, Clone, Copy)]
pub struct ReportSource<'a> {
    /// The name of its file.
    pub name: &'a str,
    /// The record.
    pub record: &'a Record,
}

/// The report of these records; the last is the one that `before` stands beside.
pub(crate) fn document(sources: &[ReportSource<'_>], before: Option<ReportSource<'_>>) -> Document {
    let records: Vec<&Record> = sources.iter().map(|source| source.record).collect();
    let colored: Vec<&Record> = records.iter().copied().chain(before.map(|before| before.record)).collect();
    let palette = Palette::of(&colored);
    let judgement = judge(&claims(&records), &records, ALPHA);
    let contexts: Vec<Context<'_>> = records
        .iter()
        .enumerate()
        .map(|(number, record)| {
            let context = Context::of(record, &palette, &id_of_record(number, records.len()));
            let is_one_of_many = experiments(&records).count() > 1;
            let comparisons: usize = experiments(&records).map(|each| each.comparisons.len()).sum();
            Context { is_one_of_many, is_long: comparisons > LONG_FROM, ..context }
        })
        .collect();
    let mut sections = Vec::new();
    let mut became = Vec::new();
    if let (Some(before), Some(last), Some(context)) = (before, sources.last(), contexts.last()) {
        let names = [before.name, last.name];
        let options = CompareOptions { names, across_machines: false, gates: &[] };
        let found = compare_records(before.record, last.record, options);
        became = beside::lead(context, &found);
        sections.push(beside::section(context, &found));
    }
    if experiments(&records).count() > 1 && pair(&contexts, &judgement).is_none() {
        sections.push(overview(&contexts, &judgement));
    }
    sections.push(machines(sources, &contexts));
    for (number, context) in contexts.iter().enumerate() {
        for each in &context.record.experiments {
            let judged: Vec<&JudgedClaim> = judgement
                .claims
                .iter()
                .filter(|claim| {
                    claim.experiment == each.name && judged_in(&records, &each.name) == Some(number)
                })
                .collect();
            let has_twin = experiments(&records).filter(|other| other.name == each.name).count() > 1;
            let twin = Some(sources[number].name).filter(|_| has_twin);
            sections.push(experiment::section(context, each, &judged, twin));
        }
    }
    sections.extend(choice(sources, contexts.first()));
    let blocks = method::blocks(&contexts);
    sections.push(part(METHOD_SECTION, "How it was measured", blocks));
    sections.push(part("data", "Raw data", vec![Block::Table(raw(sources, before))]));
    let answer: Vec<Prose> = became.into_iter().chain(leading(&contexts, &judgement)).collect();
    let lead = lead::figure(&mut sections, &contexts, &answer, before.is_some());
    let mut document = Document {
        title: title(&records, before.is_some()),
        subtitle: subtitle(&records),
        answer,
        lead,
        sections,
    };
    ids::number_twins(&mut document);
    document
}

/// The record in which the claims of an experiment stand: the one that was measured for them, else
/// the first that has them.
fn judged_in(records: &[&Record], name: &str) -> Option<usize> {
    let has = |record: &Record, wanted: &dyn Fn(&ExperimentRecord) -> bool| {
        record.experiments.iter().any(|experiment| experiment.name == name && wanted(experiment))
    };
    let made_for = records.iter().position(|record| has(record, &experiment::is_for_claims));
    made_for.or_else(|| records.iter().position(|record| has(record, &|each| !each.claims.is_empty())))
}

/// The experiments by their names, each once.
fn distinct(records: &[&Record]) -> usize {
    experiments(records).map(|experiment| experiment.name.as_str()).collect::<BTreeSet<_>>().len()
}

fn id_of_record(number: usize, of: usize) -> String {
    if of == 1 { "r".to_owned() } else { format!("r{}", number + 1) }
}

fn part(id: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), title: title.to_owned(), blocks, sections: Vec::new() }
}

fn experiments<'a>(records: &'a [&'a Record]) -> impl Iterator<Item = &'a ExperimentRecord> {
    records.iter().flat_map(|record| &record.experiments)
}

/// Every claim of the records once.
fn claims<'a>(records: &[&'a Record]) -> Vec<(&'a str, &'a fathom_model::Claim)> {
    let mut known = BTreeSet::new();
    let all = records.iter().flat_map(|record| &record.experiments);
    all.flat_map(|experiment| experiment.claims.iter().map(move |claim| (experiment.name.as_str(), claim)))
        .filter(|(experiment, claim)| known.insert((*experiment, claim.name.as_str())))
        .collect()
}

fn title(records: &[&Record], beside: bool) -> String {
    let all: Vec<_> = experiments(records).collect();
    let title = match all.as_slice() {
        [] => "Nothing was measured".to_owned(),
        [only] => only.title.clone(),
        _ => {
            let count = things(distinct(records) as u64, "experiment");
            format!("{count} of opening, reading and writing files")
        }
    };
    if beside { format!("{title}: before and after") } else { title }
}

fn subtitle(records: &[&Record]) -> String {
    let machines: BTreeSet<String> = records
        .iter()
        .map(|record| {
            let cpu = record.environment.cpu_model.value().map(|cpu| format!(", {cpu}")).unwrap_or_default();
            format!("Linux {}{cpu}", record.environment.kernel)
        })
        .collect();
    let dates: BTreeSet<&str> = records.iter().map(|r| r.created.split('T').next().unwrap_or("")).collect();
    let dates: Vec<_> = dates.into_iter().collect();
    let machines: Vec<_> = machines.into_iter().collect();
    format!("Measured {} on {}", dates.join(", "), machines.join("; "))
}

/// The answer in about three sentences.
fn leading(contexts: &[Context<'_>], judgement: &Judgement) -> Vec<Prose> {
    let records: Vec<&Record> = contexts.iter().map(|context| context.record).collect();
    let mut sentences = match experiments(&records).collect::<Vec<_>>().as_slice() {
        [only] => experiment::lead(&contexts[0], only),
        _ => match pair(contexts, judgement) {
            Some(pair) => pair.iter().map(|each| answer(&contexts[0], each, judgement)).collect(),
            None => vec![extent(&records).into()],
        },
    };
    if !judgement.claims.is_empty() {
        let hold = if judgement.shared_among > 0 { ", all holding together at 95 %" } else { "" };
        sentences.push(Prose(vec![
            Span::Plain("Of what others say of it: ".to_owned()),
            Span::Strong(verdicts::tally(&judgement.claims)),
            Span::Plain(format!("{hold}.")),
        ]));
    }
    sentences.push(trust::sentence(&records).into());
    sentences
}

/// Two experiments of one run without verdicts, as `fathom bench` measures them: their answers are few
/// enough to stand first.
fn pair<'a>(contexts: &[Context<'a>], judgement: &Judgement) -> Option<&'a [ExperimentRecord]> {
    let [only] = contexts else { return None };
    let all = only.record.experiments.as_slice();
    (all.len() == 2 && judgement.claims.is_empty()).then_some(all)
}

/// How much was measured.
fn extent(records: &[&Record]) -> String {
    let comparisons = || experiments(records).flat_map(|experiment| &experiment.comparisons);
    let variants = || comparisons().flat_map(|comparison| &comparison.variants);
    let methods: BTreeSet<_> = variants().map(|variant| &variant.method).collect();
    let languages: BTreeSet<_> = methods.iter().map(|method| &method.driver).collect();
    let places: BTreeSet<_> =
        records.iter().flat_map(|record| &record.places).map(|place| &place.file_system).collect();
    let forks: usize = comparisons().map(|comparison| comparison.forks.len()).sum();
    let trials: usize = experiments(records).map(|experiment| experiment.outcomes.len()).sum();
    let tried = if trials > 0 { format!(", and {}", things(trials as u64, "trial")) } else { String::new() };
    format!(
        "{} with {} of {} by {} on {} in {}{tried}.",
        things(distinct(records) as u64, "experiment"),
        things(variants().count() as u64, "measurement"),
        things(methods.len() as u64, "method"),
        things(languages.len() as u64, "driver"),
        places.into_iter().map(String::as_str).collect::<Vec<_>>().join(", "),
        things(forks as u64, "fork"),
    )
}

fn machines(sources: &[ReportSource<'_>], contexts: &[Context<'_>]) -> Section {
    let title = "The machine, and how far to trust it";
    match contexts {
        [only] => part("machine", title, machine::blocks(only)),
        many => {
            let each = many.iter().zip(sources).map(|(context, source)| machine::fold(context, source.name));
            part("machine", title, each.collect())
        }
    }
}

/// Every experiment's answer, and every verdict, with the way to it.
fn overview(contexts: &[Context<'_>], judgement: &Judgement) -> Section {
    let of = |context: &Context<'_>, each: &ExperimentRecord| Item {
        depth: 0,
        tone: Tone::Plain,
        prose: answer(context, each, judgement),
    };
    let items = contexts.iter().flat_map(|context| context.record.experiments.iter().map(|e| of(context, e)));
    let mut blocks = vec![Block::List(items.collect())];
    blocks.extend(tally(contexts, judgement).map(Block::Table));
    part("answers", "The answers", blocks)
}

/// An experiment's answer behind its name, which leads to it.
fn answer(context: &Context<'_>, experiment: &ExperimentRecord, judgement: &Judgement) -> Prose {
    let link = Span::Link {
        text: experiment.name.clone(),
        target: format!("#{}", experiment::id_of(context, experiment)),
    };
    let mut prose = Prose(vec![link]);
    prose.0.extend(context.prose(&brief_answer(context, experiment, judgement)).0);
    prose
}

/// What came of an experiment: of its claims, where it was run for their sake.
fn brief_answer(context: &Context<'_>, experiment: &ExperimentRecord, judgement: &Judgement) -> String {
    if !experiment::is_for_claims(experiment) {
        return answer_behind_name(context.record, experiment);
    }
    let judged = judgement.claims.iter().filter(|claim| claim.experiment == experiment.name);
    format!(": {}.", verdicts::tally(judged))
}

/// Every claim in a line.
fn tally(contexts: &[Context<'_>], judgement: &Judgement) -> Option<Table> {
    let columns = [
        ("claim", ColumnKind::Name),
        ("of", ColumnKind::Words),
        ("verdict", ColumnKind::Words),
        ("because", ColumnKind::Words),
    ];
    let row = |claim: &JudgedClaim| {
        let records: Vec<&Record> = contexts.iter().map(|context| context.record).collect();
        let target = judged_in(&records, &claim.experiment).map(|number| {
            let context = &contexts[number];
            format!("#{}-{}-claim-{}", context.id, slug(&claim.experiment), slug(&claim.name))
        });
        let sentence = match target {
            Some(target) => Prose(vec![Span::Link { text: claim.sentence.clone(), target }]),
            None => claim.sentence.as_str().into(),
        };
        let verdict = Cell {
            tone: crate::document::said::tone(verdicts::ink(claim.verdict)),
            ..Cell::words(claim.verdict.word())
        };
        let effect = verdicts::effects_of(claim).into_iter().next().map(|effect| format!("; {effect}"));
        let because = format!("{}{}", claim.because, effect.unwrap_or_default());
        let because = contexts.first().map_or_else(Prose::default, |context| context.prose(&because));
        let cells =
            vec![Cell::words(sentence), Cell::words(claim.experiment.clone()), verdict, Cell::words(because)];
        Row { cells, ..Row::default() }
    };
    let rows: Vec<_> = judgement.claims.iter().map(row).collect();
    (!rows.is_empty()).then(|| Table {
        caption: format!("What others say: {}", verdicts::tally(&judgement.claims)).into(),
        columns: columns.map(|(heading, kind)| Column::new(heading, kind)).into(),
        interactive: rows.len() > 2,
        rows,
    })
}

/// Which method to use, where the records hold enough to say.
fn choice(sources: &[ReportSource<'_>], context: Option<&Context<'_>>) -> Option<Section> {
    // Two methods that a claim compares are no choice among all.
    let for_claims = |record: &Record| record.experiments.iter().all(experiment::is_for_claims);
    let chosen = sources.iter().filter(|source| !for_claims(source.record));
    let named: Vec<_> =
        chosen.map(|source| DecisionSource { name: source.name, record: source.record }).collect();
    let matrix = decision_matrix(&named, None);
    if matrix.cells.len() < decisions::CELLS_MIN {
        return None;
    }
    Some(part("choice", "Which method to use", decisions::blocks(context?, &matrix)))
}

/// The records, and how each was made.
fn raw(sources: &[ReportSource<'_>], before: Option<ReportSource<'_>>) -> Table {
    let headings = [
        ("record", ColumnKind::Name),
        ("begun", ColumnKind::Words),
        ("experiments", ColumnKind::Figure),
        ("forks", ColumnKind::Figure),
        ("state", ColumnKind::Words),
    ];
    let row = |source: &ReportSource<'_>| {
        let record = source.record;
        let forks: usize =
            record.experiments.iter().flat_map(|e| &e.comparisons).map(|c| c.forks.len()).sum();
        let state = if record.complete { "complete" } else { "INCOMPLETE" };
        let count = |n: usize| Cell::figure(n.to_string(), Some(n as f64));
        let cells = vec![
            Cell::words(source.name),
            Cell::words(record.created.clone()),
            count(record.experiments.len()),
            count(forks),
            Cell::words(state),
        ];
        Row { cells, ..Row::default() }
    };
    Table {
        caption: "The records that this report is made of".into(),
        columns: headings.map(|(heading, kind)| Column::new(heading, kind)).into(),
        rows: before.iter().chain(sources).map(row).collect(),
        interactive: false,
    }
}

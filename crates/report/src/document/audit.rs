//! An audit as a document: what was found in a table, each finding with its calls and what
//! to do, the calls of the whole run with their prices.

mod calls;
mod card;
mod tree;

use crate::audit::{Group, GroupKind, budgets, groups, words};
use crate::document::{
    Block, Cell, Column, ColumnKind, Document, Fact, Fold, Item, Note, Prose, Row, Section, Span, Table,
    Tone, ids,
};
use crate::quantity::{grouped, percent, short_time, three_digits};
use fathom_audit::{Audit, BudgetVerdict, FactKind, Finding, PathSet, Severity};

/// What ids begin with in a document of one audit.
const ALONE: &str = "audit";

/// An audit and what its reader calls it.
#[derive(Debug, Clone, Copy)]
pub struct AuditSource<'a> {
    /// The name of its file.
    pub name: &'a str,
    /// The audit.
    pub audit: &'a Audit,
}

/// A document of this audit alone.
pub(crate) fn document(audit: &Audit) -> Document {
    let mut document = Document {
        title: title(audit),
        subtitle: subtitle(audit),
        answer: answer(audit),
        lead: audit.tree.as_ref().and_then(|tree| tree::figure(tree, &section_id("course"))),
        sections: parts(audit, ALONE),
    };
    ids::number_twins(&mut document);
    document
}

/// The id of a part of a document of one audit.
pub(crate) fn section_id(name: &str) -> String {
    format!("{ALONE}-{name}")
}

/// A section that stands beside others in a report.
pub(crate) fn section(source: &AuditSource<'_>, id: &str) -> Section {
    let audit = source.audit;
    let mut blocks = vec![Block::Prose(Prose::from(subtitle(audit)))];
    blocks.extend(answer(audit).into_iter().map(Block::Prose));
    let course = audit.tree.as_ref().and_then(|tree| tree::figure(tree, &format!("{id}-course")));
    blocks.extend(course.map(Block::Figure));
    Section { id: id.to_owned(), title: title(audit), blocks, sections: parts(audit, id) }
}

/// `Audit of git status --short`.
pub(crate) fn title(audit: &Audit) -> String {
    /// Longer commands are told in the facts.
    const LONG: usize = 80;
    let named = audit.fact(FactKind::Subject).map(str::to_owned);
    let command = audit.command.as_ref().map(|command| shell_words::join(&command.words));
    let what = command.or(named).unwrap_or_else(|| "a trace".to_owned());
    format!("Audit of {}", crate::wrap::elide(&what, LONG))
}

/// `Judged 2026-11-21 by Fathom 0.1.0: 2 processes, 4,312 file calls, 120 files opened; nothing lost, nothing unseen`.
pub(crate) fn subtitle(audit: &Audit) -> String {
    let day = audit.created.as_ref().and_then(|created| created.split('T').next());
    let day = day.map(|day| format!(" {day}")).unwrap_or_default();
    format!("Judged{day} by Fathom {}: {}", audit.fathom_version, words::watched(audit))
}

/// How much was found, and what is worst of it. Of a tree: what it has most of and what to mend first, before the
/// rest.
pub(crate) fn answer(audit: &Audit) -> Vec<Prose> {
    let mut tally = Prose(vec![Span::Strong(words::tally(audit)), Span::Plain(".".to_owned())]);
    let worst = groups(audit).into_iter().filter_map(|group| {
        let what = match group.kind {
            GroupKind::Dangers => "The worst danger: ",
            GroupKind::Costs => "The most expensive of your own: ",
            GroupKind::NotYours | GroupKind::Suppressed | GroupKind::Trifles => return None,
        };
        group
            .findings
            .first()
            .map(|first| Span::Plain(format!("{what}{}.", in_brief(first, &words::frequency(first)))))
    });
    let mut sentences = Vec::new();
    if let Some(tree) = &audit.tree {
        let mut first = tree::counts(tree);
        first.0.extend(to_mend_first(audit));
        sentences.push(first);
        sentences.extend(tree::time(audit, tree));
        for span in worst {
            tally.0.extend([Span::Plain(" ".to_owned()), span]);
        }
        sentences.push(tally);
    } else {
        sentences.push(tally);
        sentences.extend(worst.map(|span| Prose(vec![span])));
    }
    if !words::has_prices(audit) && !audit.findings.is_empty() {
        let prices = audit.fact(FactKind::Prices);
        let why = prices.map(|prices| format!(": {prices}")).unwrap_or_default();
        sentences.push(format!("Nothing could be priced{why}.").into());
    }
    sentences
}

/// `repeated stat() of the same path (30 times, 3.2 % of its file calls)`.
fn in_brief(finding: &Finding, times: &str) -> String {
    let dear = finding.price.value().and_then(words::share).map(|share| format!(", {share}"));
    format!("{} ({times}{})", finding.title, dear.unwrap_or_default())
}

/// The most expensive cost of the program's own code, or else of others', and what to do about it. What is less than a
/// hundredth of the run's calls is no advice.
fn to_mend_first(audit: &Audit) -> Vec<Span> {
    const LEAST_SHARE: f64 = 0.01;
    let groups = groups(audit);
    let is_large = |finding: &&&Finding| {
        let share = finding.price.value().and_then(|price| price.share);
        share.is_none_or(|share| share >= LEAST_SHARE)
    };
    let of = |kind| {
        let found = groups.iter().find(|group| group.kind == kind);
        found.and_then(|group| group.findings.first()).filter(is_large)
    };
    let (whose, finding) = match (of(GroupKind::Costs), of(GroupKind::NotYours)) {
        (Some(own), _) => ("", own),
        (None, Some(other)) => (", though not your own code's", other),
        (None, None) => return Vec::new(),
    };
    vec![
        Span::Plain(" ".to_owned()),
        Span::Strong(format!("Of these calls mend first{whose}:")),
        Span::Plain(format!(" {}: {}.", in_brief(finding, &words::times(finding)), finding.fix)),
    ]
}

fn parts(audit: &Audit, id: &str) -> Vec<Section> {
    let mut sections = audit.tree.as_ref().map(|of| tree::sections(of, id)).unwrap_or_default();
    let mut seen: Vec<Block> = not_seen(audit).collect();
    if !audit.findings.is_empty() {
        seen.push(Block::Table(overview(audit, id)));
    }
    if !seen.is_empty() {
        sections.push(part(&format!("{id}-findings"), "What was found", seen));
    }
    if !audit.budgets.is_empty() {
        sections.push(part(&format!("{id}-budgets"), "Budgets", vec![Block::List(budget_items(audit))]));
    }
    for group in groups(audit) {
        let blocks = group.findings.iter().map(|finding| {
            let number = number_of(audit, finding);
            Block::Finding(card::card(audit, finding, card_id(id, number), group.kind))
        });
        let name = match group.kind {
            GroupKind::Dangers => "dangers",
            GroupKind::Costs => "costs",
            GroupKind::NotYours => "not-yours",
            GroupKind::Suppressed => "suppressed",
            GroupKind::Trifles => "trifles",
        };
        sections.push(part(&format!("{id}-{name}"), group.kind.heading(), blocks.collect()));
    }
    if !audit.calls.is_empty() {
        let table = vec![Block::Table(calls::table(audit))];
        let summary =
            format!("The calls by what they were made with: {} kinds", grouped(audit.calls.len() as u64));
        let fold = Fold { summary: summary.into(), open: false, blocks: table };
        sections.push(part(&format!("{id}-calls"), "All calls", vec![Block::Fold(fold)]));
    }
    let facts = audit
        .about
        .iter()
        .map(|fact| Fact { label: fact.kind.word().to_owned(), prose: fact.text.as_str().into() });
    let facts = facts.collect::<Vec<_>>();
    if !facts.is_empty() {
        sections.push(part(&format!("{id}-about"), "How it was watched", vec![Block::Facts(facts)]));
    }
    sections
}

fn part(id: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), title: title.to_owned(), blocks, sections: Vec::new() }
}

/// Each budget with what the run did, and of those that were not met the calls that make it.
fn budget_items(audit: &Audit) -> Vec<Item> {
    let items = audit.budgets.iter().flat_map(|outcome| {
        let tone = if outcome.verdict == BudgetVerdict::Met { Tone::Plain } else { Tone::Bad };
        let verdict = budgets::verdict(outcome);
        let spans =
            [Span::Strong(verdict.to_owned()), Span::Plain(format!(": {}", budgets::sentence(outcome)))];
        let calls = outcome.calls.iter().map(|calls| Item {
            depth: 1,
            tone: Tone::Plain,
            prose: Prose::code(&budgets::who(outcome, calls)),
        });
        [Item { depth: 0, tone, prose: Prose(spans.into()) }].into_iter().chain(calls)
    });
    items.collect()
}

/// What the audit cannot speak of, before what it says.
fn not_seen(audit: &Audit) -> impl Iterator<Item = Block> {
    audit.gaps.iter().map(|gap| {
        let prose = gap.text.as_str().into();
        Block::Note(Note { tone: Tone::Bad, word: gap.kind.word().to_owned(), prose })
    })
}

/// Every finding in a line, with the way to it.
fn overview(audit: &Audit, id: &str) -> Table {
    let columns = [
        Column::new("finding", ColumnKind::Name),
        // Beside the finding, so that no screen scrolls it away.
        Column::new("severity", ColumnKind::Words),
        Column::new("times", ColumnKind::Figure),
        meant("per file", ColumnKind::Figure, "times for each file that was opened"),
        meant("price", ColumnKind::Figure, "of the calls that could be spared, untraced, on this machine"),
        meant("share", ColumnKind::Figure, SHARE_OF),
        Column::new("where", ColumnKind::Words),
        Column::new("whose", ColumnKind::Words),
    ];
    let groups = groups(audit);
    let rows =
        groups.iter().flat_map(|group| group.findings.iter().map(|finding| row(audit, id, group, finding)));
    let mut rows: Vec<_> = rows.collect();
    fill_bars(&mut rows);
    let mut table = Table {
        caption: format!("{}, dangers first", words::tally(audit)).into(),
        columns: columns.into(),
        interactive: audit.findings.len() > 2,
        rows,
    };
    if audit.findings.iter().all(|finding| words::whose(finding).is_none()) {
        without_column(&mut table, "whose");
    }
    if audit.findings.iter().all(|finding| finding.price.value().is_none()) {
        for heading in ["price", "share"] {
            without_column(&mut table, heading);
        }
    }
    table
}

/// A smaller share is no bar that can be seen.
const BAR_FROM: f64 = 0.005;
/// What shares are shares of.
const SHARE_OF: &str = "of the untraced price of all file calls; bars are parts of the longest";

/// The program's own line; else the files, and whose calls they were where there are several
/// programs; else what is known.
fn lies_at(audit: &Audit, finding: &Finding) -> Prose {
    let own =
        finding.place.first_of_yours().is_some_and(|frame| frame.file.is_some() && frame.line.is_some());
    let Some(paths) = finding.place.paths.as_ref().filter(|_| !own) else {
        return Prose::code(&words::place(finding));
    };
    // Which of them was the first is told with the finding.
    let mut prose = paths_in_face(paths);
    let is_one = audit.findings.iter().all(|other| other.place.program == finding.place.program);
    if let Some(program) = finding.place.program.as_ref().filter(|_| !is_one) {
        let name = program.rsplit('/').next().unwrap_or(program);
        prose.0.extend([Span::Plain(" by ".to_owned()), Span::Code(name.to_owned())]);
    }
    prose
}

/// One path is a name; of several it is said how many they are and what they share.
fn paths_in_face(paths: &PathSet) -> Prose {
    if let Some(path) = paths.single() {
        return Prose::code(path);
    }
    let mut prose = Prose::from(words::count_of_paths(paths));
    if let Some(directory) = &paths.directory {
        prose.0.extend([Span::Plain(" below ".to_owned()), Span::Code(directory.clone())]);
    }
    prose
}

/// Makes the longest bar of a table as wide as its cell.
fn fill_bars(rows: &mut [Row]) {
    let longest = rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.bar).fold(0.0, f64::max);
    for bar in rows.iter_mut().flat_map(|row| &mut row.cells).filter_map(|cell| cell.bar.as_mut()) {
        *bar /= if longest > 0.0 { longest } else { 1.0 };
    }
}

/// A column that says the same in every row says nothing.
fn without_column(table: &mut Table, heading: &str) {
    let Some(index) = table.columns.iter().position(|column| column.heading == heading) else { return };
    table.columns.remove(index);
    for row in &mut table.rows {
        row.cells.remove(index);
    }
}

fn meant(heading: &str, kind: ColumnKind, meaning: &str) -> Column {
    Column { meaning: Some(meaning.to_owned()), ..Column::new(heading, kind) }
}

fn row(audit: &Audit, id: &str, group: &Group<'_>, finding: &Finding) -> Row {
    let target = format!("#{}", card_id(id, number_of(audit, finding)));
    let price = finding.price.value();
    let dear = price.map(|price| (short_time(price.total_ns), price.total_ns));
    let share = price.and_then(|price| price.share);
    let whose = words::whose(finding).unwrap_or_else(|| "yours".to_owned());
    let severity = match group.kind {
        GroupKind::Suppressed => Cell { tone: Tone::Faint, ..Cell::words("suppressed") },
        _ => Cell { tone: tone(finding.severity), ..Cell::words(words::severity(finding.severity)) },
    };
    let cells = vec![
        Cell::words(Prose(vec![
            Span::Link { text: finding.rule.to_string(), target },
            Span::Plain(format!(" {}", finding.title)),
        ])),
        severity,
        Cell::figure(grouped(finding.count), Some(finding.count as f64)),
        optional(finding.per_file_opened.map(|each| (three_digits(each), each))),
        Cell { hint: price.and_then(words::interval), ..optional(dear) },
        Cell {
            bar: share.filter(|share| *share >= BAR_FROM),
            ..optional(share.map(|share| (percent(share), share)))
        },
        Cell::words(lies_at(audit, finding)),
        Cell::words(whose),
    ];
    Row { cells, ..Row::default() }
}

/// A figure, or a dash.
fn optional(figure: Option<(String, f64)>) -> Cell {
    match figure {
        Some((written, value)) => Cell::figure(written, Some(value)),
        None => Cell::figure("-", None),
    }
}

/// What a severity's word is colored in.
fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::High | Severity::Warn => Tone::Bad,
        Severity::Info => Tone::Plain,
    }
}

/// The place of a finding among all of an audit's.
fn number_of(audit: &Audit, finding: &Finding) -> usize {
    audit.findings.iter().position(|other| std::ptr::eq(other, finding)).unwrap_or(0)
}

fn card_id(id: &str, number: usize) -> String {
    format!("{id}-finding-{}", number + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;
    use fathom_audit::Owner;
    use fathom_model::Reading;

    #[test]
    fn every_finding_has_a_row_and_a_card_that_it_leads_to() {
        let audit = sample();
        let document = document(&audit);
        let blocks = || document.sections.iter().flat_map(|section| &section.blocks);
        let cards: Vec<_> = blocks()
            .filter_map(|block| match block {
                Block::Finding(card) => Some(format!("#{}", card.id)),
                _ => None,
            })
            .collect();
        let Some(Block::Table(table)) = blocks().find(|block| matches!(block, Block::Table(_))) else {
            panic!("{document:?}")
        };
        let targets: Vec<_> = table.rows.iter().flat_map(|row| &row.cells[0].prose.0).collect();
        let targets: Vec<_> = targets
            .iter()
            .filter_map(|span| match span {
                Span::Link { target, .. } => Some(target.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(targets, cards);
        assert_eq!(cards.len(), audit.findings.len());
    }

    #[test]
    fn what_was_not_seen_and_not_priced_is_said_before_the_findings() {
        let mut audit = sample();
        audit.call_prices_ns.clear();
        for finding in &mut audit.findings {
            finding.price = Reading::unavailable("no prices were given");
        }
        let document = document(&audit);
        assert!(document.answer.iter().any(|prose| prose.text().starts_with("Nothing could be priced: ")));
        let Block::Note(note) = &document.sections[0].blocks[0] else { panic!("{document:?}") };
        assert_eq!(
            (note.word.as_str(), note.prose.text().as_str()),
            ("unseen", "2 calls of 32-bit programs")
        );
    }

    #[test]
    fn what_to_mend_first_is_the_programs_own_unless_that_is_next_to_nothing() {
        let mut audit = sample();
        let said = |audit: &Audit| Prose(to_mend_first(audit)).text();
        let of = |audit: &Audit, kind| {
            let groups = groups(audit);
            let first = groups.iter().find(|group| group.kind == kind).unwrap().findings[0];
            audit.findings.iter().position(|finding| std::ptr::eq(finding, first)).unwrap()
        };
        let own = of(&audit, GroupKind::Costs);
        let title = audit.findings[own].title.clone();
        let other = audit.findings[of(&audit, GroupKind::NotYours)].title.clone();
        assert!(said(&audit).starts_with(&format!(" Of these calls mend first: {title} (")));
        for finding in &mut audit.findings {
            if let Reading::Value(price) = &mut finding.price {
                price.share = Some(if finding.owner_by_calls == Owner::Yours { 0.001 } else { 0.3 });
            }
        }
        let expected = format!(" Of these calls mend first, though not your own code's: {other} (");
        assert!(said(&audit).starts_with(&expected), "{}", said(&audit));
        audit.findings.clear();
        assert_eq!(said(&audit), "");
    }

    #[test]
    fn a_clean_run_says_so() {
        let mut audit = sample();
        audit.findings.clear();
        assert_eq!(document(&audit).answer[0].text(), "No findings among what was seen.");
        audit.gaps.clear();
        let document = document(&audit);
        assert_eq!(document.answer[0].text(), "No findings.");
        assert_eq!(document.answer.len(), 1);
    }
}

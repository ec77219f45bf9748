//! From the words of the command line to plans: which entries, which methods,
//! what is asked for beside them.

use super::front_page::{self, Chosen};
use super::own_functions::is_named;
use crate::arguments::Bench;
use crate::command::Hinted;
use crate::command::entries::entry_named;
use crate::{methods, output};
use fathom_catalog::{
    CatalogError, MethodRegistry, Plan, Request, SHIPPED, Word, parse_place, parse_size, parse_word,
    plan_ad_hoc, plan_entry,
};
use fathom_lab::Driver;
use fathom_model::{Explain, Operation};
use std::path::Path;

/// The methods that the run may name.
pub(super) fn registry_with(bench: &Bench, own: &[Driver]) -> anyhow::Result<MethodRegistry> {
    let mut patterns = bench.methods.clone();
    for name in names_of(bench) {
        if let Some(entry) = entry_named(&name)? {
            patterns.extend(entry.method_patterns().map(str::to_owned));
        }
    }
    methods::registry(patterns.iter().map(String::as_str), own)
}

pub(super) fn request_of(bench: &Bench) -> anyhow::Result<Request> {
    let sizes = |option, texts: &[String]| {
        texts.iter().map(|text| parse_size(option, text)).collect::<Result<Vec<u64>, _>>()
    };
    let blocks = sizes("--block", &bench.block)?;
    if blocks.contains(&0) {
        return Err(Hinted::error("--block: `0` is out of range", "a block holds a byte at least"));
    }
    if bench.files == Some(0) {
        return Err(Hinted::error("--files: `0` is out of range", "a data set holds a file at least"));
    }
    Ok(Request {
        quick: bench.quick || is_front_page(bench),
        explain: explained(bench),
        methods: bench.methods.clone(),
        baseline: bench.baseline.clone(),
        caches: words("--cache", &bench.cache)?,
        places: bench.dir.iter().map(|word| parse_place(word)).collect(),
        sizes: sizes("--size", &bench.size)?,
        blocks,
        accesses: words("--access", bench.access.as_slice())?,
        alignments: words("--alignment", bench.alignment.as_slice())?,
        buffers: words("--buffer", &bench.buffer)?,
        files: bench.files,
        content: words("--content", bench.content.as_slice())?.first().copied(),
        settings: settings_of(bench)?,
    })
}

/// `--set threads=1,4`, and `--threads 1,4` for the one that is most asked for.
fn settings_of(bench: &Bench) -> anyhow::Result<Vec<(String, String)>> {
    let mut settings = Vec::new();
    for written in &bench.set {
        let Some((name, values)) = written.split_once('=') else {
            return Err(Hinted::error(
                format!("--set: `{written}` sets nothing"),
                "write it like `--set threads=1,4`; `fathom list` shows every setting",
            ));
        };
        settings.push((name.to_owned(), values.to_owned()));
    }
    settings.extend(bench.threads.iter().map(|values| ("threads".to_owned(), values.clone())));
    Ok(settings)
}

fn words<W: Word>(option: &'static str, texts: &[String]) -> Result<Vec<W>, CatalogError> {
    texts.iter().map(|text| parse_word(option, text)).collect()
}

/// What to find out beside times and calls.
fn explained(bench: &Bench) -> Vec<Explain> {
    let asked = [
        (bench.why, Explain::Counters),
        (bench.profile, Explain::Profile),
        (bench.latencies, Explain::Latencies),
    ];
    asked.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, explain)| explain).collect()
}

pub(super) fn is_front_page(bench: &Bench) -> bool {
    bench.what.is_empty() && !bench.all
}

fn names_of(bench: &Bench) -> Vec<String> {
    if bench.all {
        SHIPPED.iter().map(|file| file.name.to_owned()).collect()
    } else if is_front_page(bench) {
        front_page::ENTRIES.map(|(name, ..)| name.to_owned()).to_vec()
    } else {
        bench.what.iter().filter(|name| !is_named(name)).cloned().collect()
    }
}

pub(super) fn plans_of(
    bench: &Bench,
    request: &Request,
    registry: &MethodRegistry,
) -> anyhow::Result<Vec<Plan>> {
    let names = names_of(bench);
    if !is_front_page(bench) || !bench.methods.is_empty() {
        return names.iter().map(|name| plan_of(name, request, registry)).collect();
    }
    let chosen = Chosen::here()?;
    output::note(&chosen.told());
    names.iter().map(|name| plan_of(name, &chosen.request(name, request, registry), registry)).collect()
}

/// Endings of sources whose functions have no driver yet.
const OTHER_SOURCES: [&str; 6] = ["ts", "rb", "cs", "kt", "swift", "php"];

/// A name is a file of the user's, a catalog entry, or an operation.
fn plan_of(name: &str, request: &Request, registry: &MethodRegistry) -> anyhow::Result<Plan> {
    if let Some(entry) = entry_named(name)? {
        return Ok(plan_entry(&entry, request, registry)?);
    }
    if let Ok(operation) = name.parse::<Operation>() {
        if operation.is_of_ranks() && !request.settings.iter().any(|(setting, _)| setting == "ranks") {
            return Err(Hinted::error(
                format!("{operation}: only ranks perform it"),
                format!("fathom bench {operation} --ranks 2 --launcher 'mpirun -n {{ranks}}'"),
            ));
        }
        return Ok(plan_ad_hoc(operation, request, registry)?);
    }
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| OTHER_SOURCES.contains(&ending)) {
        return Err(Hinted::error(
            format!(
                "functions of {name} cannot be measured: those of C, C++, Go, Java, JavaScript, Python, Rust and Zig files can"
            ),
            "docs/tutorial/write-a-driver.md: any program that speaks the protocol; `fathom compare --commands 'A' 'B'` for whole programs",
        ));
    }
    let known = SHIPPED.iter().map(|file| file.name).chain(Operation::ALL.map(Operation::word));
    let hint = match fathom_catalog::nearest(name, known) {
        Some(word) => format!("did you mean `{word}`?"),
        None => "`fathom list` shows every entry and operation; a file of your own ends in .toml".to_owned(),
    };
    Err(Hinted::error(format!("there is no experiment or operation `{name}`"), hint))
}

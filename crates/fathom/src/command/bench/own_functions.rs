//! Functions of the user's, named by the file they stand in: their drivers, and the plan that puts
//! them beside each other and beside the ways of their languages.

use crate::arguments::Bench;
use crate::command::Hinted;
use crate::methods::build_note;
use crate::output;
use fathom_catalog::{MethodRegistry, Plan, Request, plan_ad_hoc};
use fathom_lab::Driver;
use fathom_lab::own_functions::{OwnFunctions, OwnFunctionsError, language_of, own_functions};
use fathom_lab::{BuildStep, BuildWatch};
use fathom_model::{Content, MethodId, Operation, Unmeasured};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What every function is put beside: the C library's own calls.
const FLOOR: &str = "native:read";
/// Files are made of text, which every language can decode, and as long as a source file.
const SIZE_BYTES: u64 = 64 << 10;

/// True of a word that names a file with functions.
pub(super) fn is_named(word: &str) -> bool {
    language_of(word).is_some()
}

/// How many files with functions are asked for.
pub(super) fn count_named(bench: &Bench) -> u32 {
    bench.what.iter().map(|word| u32::from(is_named(word))).sum()
}

/// True where functions are asked for.
pub(super) fn are_named(bench: &Bench) -> bool {
    count_named(bench) > 0
}

/// The functions of all files.
pub(super) struct Functions {
    files: Vec<OwnFunctions>,
    /// Files whose compiler or interpreter is not here: their names, each with the reason.
    missing: Vec<(String, String)>,
}

impl Functions {
    /// Builds a driver for each file that is named. Where a toolchain is missing the others go on.
    pub(super) fn build(bench: &Bench, stop: &AtomicBool) -> anyhow::Result<Self> {
        let mut all: Vec<OwnFunctions> = Vec::new();
        let (mut missing, mut failed) = (Vec::new(), None);
        for word in bench.what.iter().filter(|word| is_named(word)) {
            let mut tell = |step: BuildStep<'_>| match step {
                BuildStep::Compiles(name) if name.starts_with("list-") => {}
                BuildStep::Compiles(_) => {
                    output::note(&format!("building {word} (once for each change of it) ..."));
                }
                BuildStep::Waits(_) => output::note(&build_note(step)),
            };
            let mut watch = BuildWatch { tell: &mut tell, stop: Some(stop) };
            let of_file = match own_functions(Path::new(word), &mut watch) {
                Ok(of_file) => of_file,
                Err(error) => {
                    let Some(reason) = error.missing_toolchain() else { return Err(hinted(error)) };
                    output::note(&format!("{word} is not measured: {reason}"));
                    let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
                    missing.push((name.into_owned(), reason));
                    failed.get_or_insert(error);
                    continue;
                }
            };
            let name = &of_file.driver.facts.driver;
            if all.iter().any(|other| other.driver.facts.driver == *name) {
                return Err(Hinted::error(
                    format!("two files are named {name}"),
                    "functions are told apart by the names of their files: rename one of them",
                ));
            }
            let skipped: Vec<String> =
                of_file.skipped.iter().map(|(name, reason)| format!("{name} {reason}")).collect();
            if !skipped.is_empty() {
                output::note(&format!("skipped in {word}: {}", skipped.join("; ")));
            }
            all.push(of_file);
        }
        match failed {
            Some(error) if all.is_empty() => Err(hinted(error)),
            _ => Ok(Self { files: all, missing }),
        }
    }

    pub(super) fn drivers(&self) -> impl Iterator<Item = Driver> {
        self.files.iter().map(|of_file| of_file.driver.clone())
    }

    /// Reading a whole file by each of them, and by what --methods names; else by what is usual.
    pub(super) fn plan(&self, request: &Request, registry: &MethodRegistry) -> anyhow::Result<Option<Plan>> {
        if self.files.is_empty() {
            return Ok(None);
        }
        let mut request = request.clone();
        let unmeasured = self.unmeasured(&mut request);
        let names_own = request
            .methods
            .iter()
            .any(|method| method.split_once(':').is_some_and(|(driver, _)| is_named(driver)));
        if !names_own {
            let mut beside = std::mem::take(&mut request.methods);
            if beside.is_empty() {
                // Of one language more ways are looked at than of five.
                let each = if self.files.len() == 1 { usize::MAX } else { 1 };
                let usual = |of_file: &OwnFunctions| of_file.language.usual_ways().iter().take(each);
                beside = std::iter::once(FLOOR)
                    .chain(self.files.iter().flat_map(usual).copied())
                    .map(str::to_owned)
                    .collect();
            }
            let own = self.files.iter().flat_map(|of_file| {
                let methods =
                    of_file.driver.description.methods.iter().filter(|method| method.name != "null");
                methods.map(|method| format!("{}:{}", of_file.driver.facts.driver, method.name))
            });
            request.methods = beside.into_iter().chain(own).collect();
            let mut seen = std::collections::BTreeSet::new();
            request.methods.retain(|method| seen.insert(method.clone()));
        }
        if request.sizes.is_empty() {
            request.sizes = vec![SIZE_BYTES];
        }
        request.content.get_or_insert(Content::LogLines);
        let mut plan = plan_ad_hoc(Operation::ReadWhole, &request, registry)?;
        plan.unmeasured.extend(unmeasured);
        let title = format!("Functions of yours: {}", Operation::ReadWhole.sentence());
        Ok(Some(Plan { name: "own-functions".to_owned(), title, ..plan }))
    }

    /// What is not measured for want of a toolchain: the methods that were named, which are taken out of
    /// the request, else all of the file.
    fn unmeasured(&self, request: &mut Request) -> Vec<Unmeasured> {
        let mut all = Vec::new();
        for (file, reason) in &self.missing {
            let is_of_file =
                |method: &String| method.split_once(':').is_some_and(|(driver, _)| driver == file);
            let mut names: Vec<MethodId> = request
                .methods
                .iter()
                .filter(|method| is_of_file(method))
                .filter_map(|method| method.parse().ok())
                .collect();
            request.methods.retain(|method| !is_of_file(method));
            if names.is_empty() {
                names.push(MethodId::new(file, "*"));
            }
            let unmeasured = |method| Unmeasured { method, scope: None, reason: reason.clone() };
            all.extend(names.into_iter().map(unmeasured));
        }
        all
    }
}

fn hinted(error: OwnFunctionsError) -> anyhow::Error {
    match &error {
        OwnFunctionsError::None { language, .. } => {
            Hinted::error(error.to_string(), format!("a function looks like this: {}", language.signature()))
        }
        OwnFunctionsError::File { .. } => Hinted::error(
            error.to_string(),
            "name a file with functions of your own; docs/how-to/own-functions.md shows one for each language",
        ),
        _ => error.into(),
    }
}

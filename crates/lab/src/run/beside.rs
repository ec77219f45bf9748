//! What stands beside the times of a comparison: answers and their truth,
//! ceilings, watched long runs, and warnings that need the place.

use super::{Interrupted, Lab};
use crate::data::prediction::predict;
use crate::data::truth::Answer;
use crate::drivers::own_functions::{compare_counts, of_own_function};
use crate::observer::{Event, Observer};
use crate::passes::ceiling;
use crate::passes::long_run::{self, Watched};
use crate::processes::batch_ground::keeps_freed_inodes;
use fathom_catalog::{Plan, PlannedComparison};
use fathom_model::{
    Answered, AnsweredFigure, Comparison, ExperimentRecord, Setting, Severity, Variant, Warning, WorksOn,
};

impl Lab<'_> {
    /// The ceilings that the plan asks for, once, on the first comparison's files.
    pub(super) fn measure_ceilings(
        &self,
        plan: &Plan,
        comparison: &Comparison,
        experiment: &mut ExperimentRecord,
        observer: &mut dyn Observer,
    ) {
        let Some(example) = comparison.variants.first().filter(|_| experiment.ceilings.is_empty()) else {
            return;
        };
        if !plan.ceilings.is_empty() {
            observer.event(&Event::Ceilings);
        }
        experiment.ceilings = plan
            .ceilings
            .iter()
            .map(|&kind| ceiling::measure(kind, example, &self.ready, self.drivers, self.stop))
            .collect();
    }

    /// One further run of each variant that asks for it, watched over its time.
    pub(super) fn watch_long_runs(
        &self,
        comparison: &mut Comparison,
        observer: &mut dyn Observer,
    ) -> Result<(), Interrupted> {
        if self.drivers.launcher().is_some() {
            return Ok(());
        }
        let of = comparison.variants.len();
        for (number, variant) in comparison.variants.iter().enumerate() {
            let settings = &variant.parameters.settings;
            if settings.text(Setting::Timeline) != "on" {
                continue;
            }
            self.check_stop()?;
            observer.event(&Event::Explaining { what: "long run", method: &variant.method, number, of });
            let operations = u32::try_from(settings.number(Setting::Operations)).unwrap_or(u32::MAX).max(1);
            let watched = self.alone(variant, None).and_then(|alone| {
                let watched = Watched { alone, variant: number, operations };
                long_run::watch(&watched, self.stop).map_err(|error| error.to_string())
            });
            self.check_stop()?;
            match watched {
                Ok(run) => comparison.long_runs.push(run),
                Err(reason) => {
                    let text = format!("the long run of {} failed: {reason}", variant.method);
                    comparison.warnings.push(Warning::new(Severity::Warning, "no-long-run", text));
                }
            }
        }
        Ok(())
    }

    /// A file system that does not reuse inodes freed a short while ago lets
    /// creations pay for removals before them.
    pub(super) fn freed_inodes(&self, variants: &[Variant]) -> Option<Warning> {
        let slow = |variant: &&Variant| {
            let facts = self.ready.store.facts(variant.place);
            // What ranks only look at or remove was made before the clock.
            variant.operation.facts().works_on == WorksOn::OwnFiles
                && !Setting::RankShift.concerns(variant.operation)
                && keeps_freed_inodes(facts)
        };
        variants.iter().find(slow)?;
        let text = "ext4 without a journal passes over inodes freed in the last minutes, one by one: \
                    creations may pay for what other programs and earlier runs removed";
        Some(
            Warning::new(Severity::Warning, "freed-inodes", text)
                .with_hint("compare within this table only, or measure on another file system with --dir"),
        )
    }

    /// What each variant answered beside the truth, where an operation counts
    /// something or a method is known to answer wrongly.
    pub(super) fn answers(&self, planned: &PlannedComparison) -> Vec<Answered> {
        let flaw = |variant: &Variant| {
            let driver = self.drivers.driver(&variant.method.driver).ok()?;
            driver.method(&variant.method.name)?.flaw.clone()
        };
        let counts = |variant: &Variant| self.expected(variant).counted().is_some();
        let is_own = |variant: &Variant| {
            let driver = self.drivers.driver(&variant.method.driver);
            driver.is_ok_and(|driver| driver.is_own_function(&variant.method.name))
        };
        if !planned
            .variants
            .iter()
            .any(|variant| counts(variant) || is_own(variant) || flaw(variant).is_some())
        {
            return Vec::new();
        }
        let answer = |variant: &Variant| match self.answered_by(variant) {
            Some(found) if is_own(variant) => of_own_function(found, self.expected(variant).answers()),
            _ => self.answer_of(variant, flaw(variant)),
        };
        let mut answers: Vec<Answered> = planned.variants.iter().map(answer).collect();
        compare_counts(&mut answers, &planned.variants);
        answers
    }

    /// One operation on each file together: what was answered, what is true, and for a flawed
    /// program what follows from the files' bytes.
    fn answer_of(&self, variant: &Variant, flaw: Option<String>) -> Answered {
        let expected = self.expected(variant);
        let what = expected.counted();
        let figure = |answer: &Answer| if what.is_some() { answer.count } else { answer.digest };
        let found = self.answered_by(variant).unwrap_or_default();
        let truth = &expected.answers()[..found.len().min(expected.answers().len())];
        let predicted = flaw.is_some().then(|| self.predictions(variant, found.len())).flatten();
        let (found, truth) = (sum(found), sum(truth));
        let further =
            predicted.as_ref().map_or_else(Vec::new, |predicted| further(&found, predicted, &truth));
        Answered {
            what: what.unwrap_or("digest").to_owned(),
            found: figure(&found),
            expected: figure(&truth),
            flaw,
            predicted: predicted.as_ref().map(figure),
            further,
            disagrees: None,
        }
    }

    /// What a published program answers for the first `files` of a variant's files, together.
    fn predictions(&self, variant: &Variant, files: usize) -> Option<Answer> {
        let parameters = &variant.parameters;
        let of_each = self.ready.store.bytes(variant.place, &parameters.data).into_iter().take(files);
        let of_each: Option<Vec<Answer>> = of_each
            .map(|file| {
                predict(&variant.method, variant.operation, &file, &parameters.settings).ok().flatten()
            })
            .collect();
        of_each.filter(|answers| !answers.is_empty()).map(|answers| sum(&answers))
    }

    pub(super) fn answered_by(&self, variant: &Variant) -> Option<&[Answer]> {
        let of_variant = self.answered.iter().rev().find(|(known, _)| known == variant);
        of_variant.map(|(_, answers)| answers.as_slice())
    }
}

fn sum(answers: &[Answer]) -> Answer {
    let mut sum = Answer::default();
    for answer in answers {
        sum.add(answer);
    }
    sum
}

/// What a program that hands on lines says beside their number.
fn further(found: &Answer, predicted: &Answer, truth: &Answer) -> Vec<AnsweredFigure> {
    if found.bytes == truth.bytes && predicted.bytes == truth.bytes {
        return Vec::new();
    }
    let figure = |what: &str, found, predicted, expected| AnsweredFigure {
        what: what.to_owned(),
        found,
        predicted,
        expected,
    };
    let mut figures = vec![figure("bytes delivered", found.bytes, predicted.bytes, Some(truth.bytes))];
    if predicted.largest > 0 || predicted.left > 0 {
        figures.push(figure("bytes of the largest record", found.largest, predicted.largest, None));
        figures.push(figure("bytes never delivered", found.left, predicted.left, Some(0)));
    }
    figures
}

//! What stands beside the times of a comparison: answers and their truth,
//! ceilings, watched long runs, and warnings that need the place.

use super::{Interrupted, Lab};
use crate::ceiling;
use crate::long_run::{self, Watched};
use crate::observer::{Event, Observer};
use crate::truth::Answer;
use fathom_catalog::{Plan, PlannedComparison};
use fathom_model::{Answered, Comparison, ExperimentRecord, Operation, Setting, Severity, Variant, Warning};

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
            let journal = facts.journal.value().map_or("", String::as_str);
            variant.operation == Operation::Create && facts.file_system == "ext4" && journal == "no journal"
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
        if !planned.variants.iter().any(|variant| counts(variant) || flaw(variant).is_some()) {
            return Vec::new();
        }
        let of = |variant: &Variant| {
            let expected = self.expected(variant);
            let (what, truth) = (expected.counted(), expected.answers().first());
            let found = self.answered_by(variant).and_then(|answers| answers.first());
            let figure = |answer: Option<&Answer>| {
                answer.map_or(0, |answer| if what.is_some() { answer.count } else { answer.digest })
            };
            Answered {
                what: what.unwrap_or("digest").to_owned(),
                found: figure(found),
                expected: figure(truth),
                flaw: flaw(variant),
            }
        };
        planned.variants.iter().map(of).collect()
    }

    pub(super) fn answered_by(&self, variant: &Variant) -> Option<&[Answer]> {
        let of_variant = self.answered.iter().rev().find(|(known, _)| known == variant);
        of_variant.map(|(_, answers)| answers.as_slice())
    }
}

//! A trial: some conditions that are priced together, because one call undoes
//! what another does.

use super::meter::Meter;
use super::refusal::Refusal;
use fathom_model::CallCondition;

type Run<'a> = Box<dyn FnMut(&mut Meter, &[CallCondition]) -> Result<(), Refusal> + 'a>;

/// Conditions, and how one batch of each is taken.
pub(super) struct Trial<'a> {
    pub(super) conditions: Vec<CallCondition>,
    /// More batches than this in one process would change what is priced.
    pub(super) batches_max: Option<u32>,
    run: Run<'a>,
}

impl<'a> Trial<'a> {
    /// A trial; `run` gets its conditions in the order given.
    pub(super) fn new(
        conditions: impl Into<Vec<CallCondition>>,
        run: impl FnMut(&mut Meter, &[CallCondition]) -> Result<(), Refusal> + 'a,
    ) -> Self {
        Self { conditions: conditions.into(), batches_max: None, run: Box::new(run) }
    }

    /// The same, in so many batches at most and without warming up for each.
    pub(super) fn at_most(self, batches: u32) -> Self {
        Self { batches_max: Some(batches), ..self }
    }

    /// Takes a batch of each condition.
    pub(super) fn run(&mut self, meter: &mut Meter) -> Result<(), Refusal> {
        (self.run)(meter, &self.conditions)
    }
}

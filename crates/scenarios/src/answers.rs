//! What one process met in several trials of its own: rows that it says at once.

use super::Interrupted;
use super::performer::{Performer, Trouble};
use super::rows::{Found, Rows};
use serde::{Deserialize, Serialize};

/// One thing that was tried, or why it could not be.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Met {
    pub(super) case: String,
    pub(super) setting: String,
    pub(super) result: Result<Answer, String>,
}

/// What the kernel answered.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) meaning: String,
    pub(super) counts: Vec<(String, u64)>,
}

impl Answer {
    pub(super) fn new<const N: usize>(meaning: impl Into<String>, counts: [(&str, u64); N]) -> Self {
        let counts = counts.into_iter().map(|(what, n)| (what.to_owned(), n)).collect();
        Self { meaning: meaning.into(), counts }
    }

    fn into_found(self) -> Found {
        let counts = self.counts.into_iter();
        counts.fold(Found::meaning(self.meaning), |found, (what, n)| found.count(what, n))
    }
}

impl Met {
    pub(super) fn new(case: &str, setting: impl Into<String>, result: Result<Answer, String>) -> Self {
        Self { case: case.to_owned(), setting: setting.into(), result }
    }
}

/// Starts a process that tries several things, and adds what it met.
pub(super) fn play<'a>(
    rows: &mut Rows<'_>,
    case: &str,
    start: impl FnOnce() -> Result<Performer<'a>, Trouble>,
) -> Result<(), Interrupted> {
    rows.trying(case, "");
    match start().and_then(|mut performer| performer.answer::<Vec<Met>>()) {
        Ok(all) => all.into_iter().try_for_each(|met| {
            let found = met.result.map(Answer::into_found).map_err(Trouble::Failed);
            rows.add(&met.case, &met.setting, found)
        }),
        Err(trouble) => rows.add(case, "the process that tries it", Err(trouble)),
    }
}

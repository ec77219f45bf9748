//! What is wrong with a budget's text, and where.

use std::fmt;
use std::ops::Range;

/// A mistake in a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetError {
    text: String,
    at: Range<usize>,
    problem: String,
    hint: Option<String>,
}

impl BudgetError {
    pub(super) fn new(text: &str, at: Range<usize>, problem: &str, hint: Option<String>) -> Self {
        Self { text: text.to_owned(), at, problem: problem.to_owned(), hint }
    }

    /// What is wrong, in one line.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// What to write instead, where that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The text with the mistake underlined, as two lines.
    pub fn underlined(&self) -> String {
        let before = self.text.get(..self.at.start).map_or(0, |text| text.chars().count());
        let wide = self.text.get(self.at.clone()).map_or(1, |text| text.chars().count().max(1));
        let line = self.text.replace(['\n', '\t'], " ");
        format!("  {line}\n  {}{}", " ".repeat(before), "^".repeat(wide))
    }
}

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)?;
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        write!(f, "\n{}", self.underlined())
    }
}

impl std::error::Error for BudgetError {}

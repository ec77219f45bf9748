//! What of a run was not judged: no budget is met and nothing is clean by what nobody saw.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the run that was not judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// How it came about.
    pub kind: GapKind,
    /// What is missing, in a sentence.
    pub text: String,
}

/// How a part of a run came not to be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GapKind {
    /// The capture does not see it.
    Unseen,
    /// It stands in the source in a form that is not understood.
    Unread,
    /// Events were lost.
    Lost,
    /// The run, or the file that kept it, ended early.
    Cut,
}

impl GapKind {
    const ALL: [Self; 4] = [Self::Unseen, Self::Unread, Self::Lost, Self::Cut];

    /// The word for it, in output and in kept traces.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unseen => "unseen",
            Self::Unread => "unread",
            Self::Lost => "lost",
            Self::Cut => "cut",
        }
    }

    /// The one with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl Gap {
    /// One of this kind.
    pub fn new(kind: GapKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

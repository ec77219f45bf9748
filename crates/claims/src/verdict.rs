//! The five verdicts, and how several make one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds here.
    Supported,
    /// It does not hold here.
    Refuted,
    /// As it was published it seems one way, and compared fairly the other.
    Confounded,
    /// Neither is sure.
    Inconclusive,
    /// It could not be tried here.
    Untestable,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Confounded => "confounded",
            Self::Inconclusive => "inconclusive",
            Self::Untestable => "untestable here",
        }
    }

    /// Of a statement that has to hold in every place and under every condition
    /// that was tried: where it could not be tried says nothing.
    pub(crate) fn everywhere(tried: impl IntoIterator<Item = Self>) -> Self {
        let tried: Vec<Self> = tried.into_iter().collect();
        let any = |verdict| tried.contains(&verdict);
        if any(Self::Refuted) {
            Self::Refuted
        } else if any(Self::Inconclusive) {
            Self::Inconclusive
        } else if any(Self::Supported) {
            Self::Supported
        } else {
            Self::Untestable
        }
    }

    /// Of a statement that is several, all of which have to hold: what could not be
    /// tried leaves it open.
    pub(crate) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<Self> = parts.into_iter().collect();
        let any = |verdict| parts.contains(&verdict);
        if any(Self::Refuted) {
            Self::Refuted
        } else if any(Self::Inconclusive) {
            Self::Inconclusive
        } else if any(Self::Untestable) || !any(Self::Supported) {
            Self::Untestable
        } else {
            Self::Supported
        }
    }

    /// Of a claim whose published comparison says this, and whose fair one that.
    pub(crate) fn with_fair(self, fair: Self) -> Self {
        match (self, fair) {
            (Self::Supported, Self::Refuted) | (Self::Refuted, Self::Supported) => Self::Confounded,
            // Nobody knows whether it holds between things that differ in nothing else.
            (Self::Supported, Self::Inconclusive | Self::Untestable)
            | (Self::Refuted, Self::Inconclusive) => Self::Inconclusive,
            (published, _) => published,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, Confounded, Inconclusive, Refuted, Supported, Untestable};

    #[test]
    fn a_statement_holds_where_it_was_tried_and_its_parts_all() {
        for (parts, everywhere, all) in [
            (&[Supported, Supported][..], Supported, Supported),
            (&[Supported, Untestable], Supported, Untestable),
            (&[Supported, Inconclusive], Inconclusive, Inconclusive),
            (&[Inconclusive, Refuted, Untestable], Refuted, Refuted),
            (&[Untestable], Untestable, Untestable),
            (&[], Untestable, Untestable),
        ] {
            assert_eq!(Verdict::everywhere(parts.iter().copied()), everywhere, "{parts:?}");
            assert_eq!(Verdict::all(parts.iter().copied()), all, "{parts:?}");
        }
    }

    #[test]
    fn a_fair_comparison_that_says_otherwise_confounds() {
        for (published, fair, expected) in [
            (Supported, Supported, Supported),
            (Supported, Refuted, Confounded),
            (Refuted, Supported, Confounded),
            (Refuted, Refuted, Refuted),
            (Refuted, Inconclusive, Inconclusive),
            (Refuted, Untestable, Refuted),
            (Supported, Inconclusive, Inconclusive),
            (Supported, Untestable, Inconclusive),
            (Inconclusive, Refuted, Inconclusive),
            (Untestable, Supported, Untestable),
        ] {
            assert_eq!(published.with_fair(fair), expected, "{published:?}, fair {fair:?}");
        }
    }
}

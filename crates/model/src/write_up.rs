//! Write-ups: documents that somebody published, statement by statement, each with
//! the claims of the catalog that its verdict comes from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A published document.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteUp {
    /// Its name: `open-deep-dive`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// When, where it is stated.
    pub date: Option<String>,
    /// On what its figures were taken, where it is stated.
    pub hardware: Option<String>,
    /// What it says, in its order.
    pub statements: Vec<Statement>,
}

/// One thing that a document says.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Its name, unique in the document.
    pub id: String,
    /// What it is in the document.
    pub kind: StatementKind,
    /// The section it stands in, in our words.
    pub section: String,
    /// What it says, in our words.
    pub says: String,
    /// How it is tested.
    pub how: Option<String>,
    /// The claims that its verdict comes from; all have to hold.
    pub claims: Vec<ClaimPath>,
    /// Why nothing can test it, for a statement without claims.
    pub untestable: Option<String>,
    /// Reasons, each said only when the verdict is that one.
    pub why: BTreeMap<StatementVerdict, String>,
}

/// What a statement is in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StatementKind {
    /// A sentence.
    Statement,
    /// A number.
    Figure,
    /// What a table claims.
    Table,
    /// A program or its output.
    Listing,
    /// Advice.
    Recommendation,
    /// A diagram or a screenshot.
    Picture,
}

impl StatementKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Figure => "figure",
            Self::Table => "table",
            Self::Listing => "listing",
            Self::Recommendation => "recommendation",
            Self::Picture => "picture",
        }
    }
}

/// The verdict on a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StatementVerdict {
    /// All its claims hold here.
    Supported,
    /// One of them does not.
    Refuted,
    /// One seems one way as it was published, and is the other way when compared fairly.
    Confounded,
    /// One is open, or cannot be tested while others hold.
    Inconclusive,
    /// Nothing can test it.
    Untestable,
    /// One was not tried here and now; that says nothing.
    NotRun,
}

impl StatementVerdict {
    /// Every verdict, in the order of a tally.
    pub const ALL: [Self; 6] = [
        Self::Supported,
        Self::Refuted,
        Self::Confounded,
        Self::Inconclusive,
        Self::Untestable,
        Self::NotRun,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Confounded => "confounded",
            Self::Inconclusive => "inconclusive",
            Self::Untestable => "untestable",
            Self::NotRun => "not run",
        }
    }
}

/// A claim of the catalog: `open-go/one-open`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct ClaimPath {
    /// The experiment.
    pub experiment: String,
    /// The claim's name in it.
    pub claim: String,
}

/// The text is not two names with a slash between them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a claim is written `experiment/claim`, not `{0}`")]
pub struct ParseClaimPathError(pub String);

impl fmt::Display for ClaimPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.experiment, self.claim)
    }
}

impl FromStr for ClaimPath {
    type Err = ParseClaimPathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('/') {
            Some((experiment, claim)) if !experiment.is_empty() && !claim.is_empty() => {
                Ok(Self { experiment: experiment.to_owned(), claim: claim.to_owned() })
            }
            _ => Err(ParseClaimPathError(text.to_owned())),
        }
    }
}

impl TryFrom<String> for ClaimPath {
    type Error = ParseClaimPathError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ClaimPath> for String {
    fn from(path: ClaimPath) -> Self {
        path.to_string()
    }
}

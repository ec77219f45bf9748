//! A value that could be had, or the reason why it could not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What could be observed: a value, or why there is none. Absence is never 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reading<T> {
    /// The value that was read.
    Value(T),
    /// Why the value could not be read, as a phrase for a person.
    Unavailable(String),
}

impl<T> Reading<T> {
    /// An absent value with its reason.
    pub fn unavailable(reason: impl Into<String>) -> Self {
        Self::Unavailable(reason.into())
    }

    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Unavailable(_) => None,
        }
    }

    /// Applies `f` to the value; a reason stays a reason.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Reading<U> {
        match self {
            Self::Value(value) => Reading::Value(f(value)),
            Self::Unavailable(reason) => Reading::Unavailable(reason),
        }
    }
}

impl<T, E: std::fmt::Display> From<Result<T, E>> for Reading<T> {
    fn from(result: Result<T, E>) -> Self {
        match result {
            Ok(value) => Self::Value(value),
            Err(error) => Self::Unavailable(error.to_string()),
        }
    }
}

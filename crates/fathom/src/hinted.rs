//! Errors with a next step.

/// An error that knows what to do next.
#[derive(Debug)]
pub(crate) struct Hinted {
    message: String,
    pub(crate) hint: String,
}

impl Hinted {
    /// An error with its hint.
    pub(crate) fn error(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        Self { message: message.into(), hint: hint.into() }.into()
    }
}

impl std::fmt::Display for Hinted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}

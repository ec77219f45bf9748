//! A driver's program that a scenario asks something of its runtime: a process
//! for every try, which answers with one line of JSON.

use super::performer::Trouble;
use fathom_lab::{BuildWatch, Driver, DriverSet};
use serde::de::DeserializeOwned;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

/// A driver, built or found.
#[derive(Debug)]
pub(super) struct Program<'a> {
    driver: Driver,
    stop: &'a AtomicBool,
}

/// What a process answered, and what its runtime logged.
#[derive(Debug)]
pub(super) struct Answer<T> {
    pub(super) said: T,
    pub(super) log: String,
}

impl<'a> Program<'a> {
    /// The shipped driver of this name.
    pub(super) fn of_driver(name: &str, stop: &'a AtomicBool) -> Result<Self, Trouble> {
        let drivers = DriverSet::prepare([name], &mut BuildWatch { tell: &mut |_| {}, stop: None })
            .map_err(|error| Trouble::Failed(error.to_string()))?;
        let driver = drivers.driver(name).map_err(|reason| Trouble::Failed(reason.to_owned()))?.clone();
        Ok(Self { driver, stop })
    }

    /// The runtime in words: `go1.26.8`.
    pub(super) fn runtime(&self) -> &str {
        &self.driver.facts.runtime
    }

    /// Starts one process with words for its runtime, words for the program and a variable,
    /// and waits for its end.
    pub(super) fn ask<T: DeserializeOwned>(
        &self,
        runtime_words: &[String],
        words: &[String],
        variable: Option<(&str, &str)>,
    ) -> Result<Answer<T>, Trouble> {
        self.check_stop()?;
        let command = self.driver.command_with(runtime_words);
        let mut command = command.map_err(|error| Trouble::Failed(error.to_string()))?;
        command.args(words).envs(variable).stdin(Stdio::null());
        let output = command
            .output()
            .map_err(|error| Trouble::Failed(format!("failed to start a process: {error}")))?;
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            // An interrupt reaches the process, too.
            self.check_stop()?;
            return Err(Trouble::Failed(format!(
                "{} ended with {}: {}",
                words.join(" "),
                output.status,
                log.trim()
            )));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let said = serde_json::from_str(text.trim())
            .map_err(|error| Trouble::Failed(format!("`{}`: {error}", text.trim())))?;
        Ok(Answer { said, log })
    }

    fn check_stop(&self) -> Result<(), Trouble> {
        if self.stop.load(Ordering::Relaxed) { Err(Trouble::Interrupted) } else { Ok(()) }
    }
}

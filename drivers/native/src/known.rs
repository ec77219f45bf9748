//! `null` for operations whose answer is not the data itself: a method of the
//! operation finds the answer before the clock, and `null` gives it again.

use super::failure::Failure;
use super::methods::{FailureAt, Method};
use super::offsets::Step;
use super::sink::Sink;

/// What is known of each path, once taken up.
pub(crate) struct Known<'a> {
    paths: usize,
    /// Finds the answer.
    finder: Box<dyn Method + 'a>,
    answers: Vec<Answer>,
}

struct Answer {
    counted: Sink,
    verified: Sink,
}

impl<'a> Known<'a> {
    pub(crate) fn new(paths: usize, finder: Box<dyn Method + 'a>) -> Self {
        Self { paths, finder, answers: Vec::new() }
    }

    fn find(&mut self, path: usize) -> Result<Answer, Failure> {
        let mut answer = Answer { counted: Sink::counting(), verified: Sink::verifying() };
        let step = Step { path, offset: 0 };
        for sink in [&mut answer.counted, &mut answer.verified] {
            let found = self.finder.perform(step, sink);
            found.map_err(|failure| Failure { call: "null", ..failure })?;
        }
        Ok(answer)
    }
}

impl Method for Known<'_> {
    /// What is known is in memory of its own, which hinders no eviction: it is kept.
    fn take_up(&mut self) -> Result<(), FailureAt> {
        while self.answers.len() < self.paths {
            let path = self.answers.len();
            let answer = self.find(path).map_err(|failure| FailureAt { failure, path })?;
            self.answers.push(answer);
        }
        Ok(())
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let answer = &self.answers[step.path];
        *sink = if sink.verifies() { answer.verified } else { answer.counted };
        Ok(())
    }
}

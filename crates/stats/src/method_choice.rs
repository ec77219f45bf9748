//! Which method to use: from records to a matrix of conditions and methods, and
//! from a question to an answer, its margin and its caveats.
//!
//! Only methods of one comparison are compared, by ratios that are paired in the
//! blocks. The fastest of the samples is advised when every rival is shown to be
//! slower; of methods that cannot be told from it the usual one is. Rivals share
//! an error of 5 %: with 95 % probability the truly fastest is the one advised or
//! among those it is tied with, whichever the samples put first.

mod answer;
mod caveats;
mod cell;
mod conditions;
mod group;
mod knowledge;
mod matrix;
mod origin;
mod question;
mod ranking;
mod reach;
mod sameness;
#[cfg(test)]
mod tests;

pub use answer::{Decision, DecisionAnswer, Gain, Seconds, answer_question};
pub use caveats::Caveat;
pub use cell::{CellSource, Certainty, DecisionCell, Elsewhere, Excluded, MethodTime, Rival, UsualWay};
pub use conditions::{DecisionConditions, Pattern};
pub use matrix::{DECISION_VERSION, DecidedRecord, DecisionMatrix, DecisionSource, decision_matrix};
pub use origin::is_made_here;
pub use question::{DecisionError, DecisionQuestion, languages_to_ask_for};
pub use ranking::RivalStanding;
pub use reach::Reach;
pub use sameness::{Dimension, Indifference};

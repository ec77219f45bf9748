//! What an auditor is told before the first event.

use super::Auditor;
use crate::budget::{Budget, Tally};
use crate::call_tree::TreeTally;
use crate::chosen_calls::{ChosenCalls, ChosenTally};
use crate::classed_calls::{CallFilter, ClassTally};
use crate::path_class::PathClasses;
use crate::rule_choice::RuleChoice;
use crate::world::{ReadPath, Tolerance, Tolerances};
use fathom_events::{MountTable, RunningProcess};

impl Auditor {
    /// One that knows the absolute path of the directory in which the program was started.
    #[must_use]
    pub fn starting_in(mut self, directory: &str) -> Self {
        self.world.start_in(directory);
        self
    }

    /// One that knows with which words the program was started, its name first: a file that they
    /// name the program did not choose itself.
    #[must_use]
    pub fn started_with(mut self, words: &[String]) -> Self {
        self.world.started_with(words);
        self
    }

    /// One that knows which user started the program; 0 is root.
    #[must_use]
    pub fn started_by(mut self, user: u32) -> Self {
        self.world.started_by(user);
        self
    }

    /// One that can ask what lies at a path while the program runs, and knows when that was started,
    /// in ns since the epoch. Only where it is the same machine.
    #[must_use]
    pub fn started_at(mut self, at_ns: u64, read_path: ReadPath) -> Self {
        self.world.started_at(at_ns, read_path);
        self
    }

    /// One that knows what is mounted where, as it was when the program was started.
    #[must_use]
    pub fn with_mounts(mut self, mounts: MountTable) -> Self {
        self.world.know_mounts(mounts);
        self
    }

    /// One that knows a process which ran before it was watched.
    #[must_use]
    pub fn meeting(mut self, running: &RunningProcess) -> Self {
        self.meet(running);
        self
    }

    /// One that judges only calls on files below a directory; said of several, below any of
    /// them. What other calls do to those files it knows all the same.
    #[must_use]
    pub fn telling_below(mut self, directory: &str) -> Self {
        self.world.tell_below(directory);
        self
    }

    /// One that knows what somebody decided to live with.
    #[must_use]
    pub fn with_tolerances(mut self, tolerances: Vec<Tolerance>) -> Self {
        self.world.tolerances = Tolerances::new(tolerances);
        self
    }

    /// One whose findings are those of some rules: a call that they and others accuse is theirs.
    #[must_use]
    pub fn with_rules(mut self, choice: RuleChoice) -> Self {
        self.choice = choice;
        self
    }

    /// One that holds the run against budgets, which come out in their order.
    #[must_use]
    pub fn with_budgets(mut self, budgets: &[Budget]) -> Self {
        self.budgets = budgets.iter().cloned().map(Tally::new).collect();
        self
    }

    /// One that also counts calls by what they ask for.
    #[must_use]
    pub fn counting_tree(mut self) -> Self {
        self.tree = Some(TreeTally::default());
        self
    }

    /// One that also counts calls by their classes.
    #[must_use]
    pub fn counting_classes(mut self, filter: CallFilter, classes: PathClasses) -> Self {
        self.classes = Some(ClassTally::new(filter, classes));
        self
    }

    /// One that finds the calls which somebody asks about.
    #[must_use]
    pub fn asking_about(mut self, chosen: ChosenCalls) -> Self {
        self.chosen = Some(ChosenTally::new(chosen));
        self
    }
}

//! R27: the current directory asked for again.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::signs::Signs;
use crate::world::World;
use fathom_events::FileAction;
use std::collections::{BTreeMap, HashMap};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(27),
    name: "getcwd-repeated",
    needs: "getcwd, chdir, rename",
    guards: &[MOVED, FEW],
    begin: |guards| {
        Box::new(DirectoryAskedAgain {
            guards,
            asked: HashMap::new(),
            waiting: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const MOVED: Guard =
    Guard { name: "moved", spares: "the program went elsewhere, or something was renamed, between" };
const FEW: Guard = Guard { name: "few", spares: "several parts of a program may each ask once" };

/// The fourth question is a habit.
const HABIT: usize = 4;

const WORDS: Words = Words::cost(
    "repeated getcwd(), directory unchanged",
    "keep the answer until the program changes its directory",
    "another program may rename a directory above meanwhile",
);

#[derive(Debug)]
struct DirectoryAskedAgain {
    guards: Guards,
    /// By process, and whether its runtime asks.
    asked: HashMap<(u32, bool), (usize, Claims)>,
    /// By thread of a runtime that asks for itself when it looks for code: the next call shows it.
    waiting: BTreeMap<u32, Vec<(Scene, Claim)>>,
    cases: Cases,
}

impl Rule for DirectoryAskedAgain {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[
            Kind::CurrentDirectory,
            Kind::ChangeDirectory,
            Kind::ChangeRoot,
            Kind::Rename,
            Kind::Execute,
            Kind::Exit,
        ])
    }

    fn remembers(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let process = moment.process();
        if let FileAction::CurrentDirectory { .. } = moment.action() {
            let place = moment.world.process(process).map(|process| process.directory);
            let is_told = moment.is_ok() && moment.world.tells_of(place);
            let asked = is_told.then(|| (Scene::at(moment, place), moment.claim()));
            let asks_itself =
                |signs: &Signs| signs.load_flags != 0 || signs.loads_code() && signs.asks_directories;
            if moment.world.signs(process).is_some_and(asks_itself) {
                self.waiting.entry(moment.thread()).or_default().extend(asked);
            } else {
                self.ask(process, false, asked, moment.world);
            }
            return;
        }
        if let Some(waiting) = self.waiting.remove(&moment.thread()) {
            // Python asks what lies there before it looks for a module.
            let current = moment.world.process(process).map(|process| process.directory);
            let is_searched = matches!(moment.action(), FileAction::Stat { .. }) && moment.place == current;
            let is_runtimes = moment.looks_for_code() || is_searched && moment.is_runtimes(moment.place);
            self.ask(process, is_runtimes, waiting, moment.world);
        }
        match moment.action() {
            FileAction::ChangeDirectory { .. }
            | FileAction::ChangeRoot { .. }
            | FileAction::Rename { .. }
                if self.guards.spare(MOVED, true) =>
            {
                self.forget(process);
            }
            FileAction::Exit { whole: true, .. } | FileAction::Execute { .. } => self.forget(process),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl DirectoryAskedAgain {
    fn ask(
        &mut self,
        process: u32,
        is_runtimes: bool,
        asked: impl IntoIterator<Item = (Scene, Claim)>,
        world: &World,
    ) {
        for (scene, call) in asked {
            let (count, calls) = self.asked.entry((process, is_runtimes)).or_default();
            *count += 1;
            if *count > 1 {
                calls.push(call);
            }
            if !self.guards.spare(FEW, *count < HABIT) && calls.calls() > 0 {
                let calls = std::mem::take(calls);
                let scene = scene.asked_by_runtime(is_runtimes);
                self.cases.claim_scene(&scene, calls.calls(), &calls, world);
            }
        }
    }

    fn forget(&mut self, process: u32) {
        for is_runtimes in [false, true] {
            self.asked.remove(&(process, is_runtimes));
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::Script;
    fn ask(script: &mut Script) {
        script.works("getcwd", FileAction::CurrentDirectory { path: None });
    }
    crate::trio::Trio {
        rule: 27,
        waste: |script| (0..20).for_each(|_| ask(script)),
        count: 19,
        fixed: |script| ask(script),
        look_alikes: &[
            ("moved", |script| {
                for step in 0..20 {
                    let target = script.target(&format!("/data/{step}"));
                    script.works("chdir", FileAction::ChangeDirectory { target });
                    ask(script);
                }
            }),
            ("few", |script| (0..3).for_each(|_| ask(script))),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::finding::Owner;
    use crate::rule::Guards;
    use crate::script::Script;
    use fathom_events::{FileAction, FileKind};

    #[test]
    fn python_asks_before_it_searches_and_a_script_asks_for_itself() {
        let told = |searches: bool| {
            let mut script = Script::new();
            script.load("/usr/bin/python3.11");
            for number in 0..20 {
                script.works("getcwd", FileAction::CurrentDirectory { path: None });
                if searches {
                    script.stat_as(".", FileKind::Directory, 4096);
                } else {
                    script.stat(&format!("/data/{number}"), 10);
                }
            }
            let found = script.findings(Guards::default());
            let of_rule = found.iter().filter(|finding| finding.rule.0 == 27);
            of_rule.map(|finding| (finding.owner, finding.count)).collect::<Vec<_>>()
        };
        assert_eq!(told(true), [(Owner::Runtime, 19)]);
        assert_eq!(told(false), [(Owner::Yours, 19)], "os.getcwd");
    }
}

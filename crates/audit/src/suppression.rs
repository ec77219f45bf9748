//! What somebody decided to live with: findings of a rule, everywhere or at some places. They
//! are kept and counted apart, with the reason.

use crate::cases::{Case, Group};
use crate::finding::{Frame, RuleId};
use crate::world::{Tolerances, World};
use std::collections::BTreeMap;

impl Tolerances {
    /// Groups that fall under the same decision, or under none, become one.
    pub(crate) fn sort<'a>(
        &self,
        rule: RuleId,
        cases: BTreeMap<Group, Case>,
        frames: impl Fn(Option<u32>) -> &'a [Frame],
        world: &World,
    ) -> BTreeMap<(Group, Option<usize>), Case> {
        let mut sorted: BTreeMap<(Group, Option<usize>), Case> = BTreeMap::new();
        for (group, case) in cases {
            let program = group.program.map(|program| world.places.path(program));
            let decided = self.decision(rule, group.tolerated_set, program, frames(group.stack));
            let key = (Group { tolerated_set: 0, ..group }, decided);
            match sorted.get_mut(&key) {
                Some(known) => known.join(&case, world),
                None => {
                    sorted.insert(key, case);
                }
            }
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auditor::Auditor;
    use crate::fact::FactKind;
    use crate::finding::Finding;
    use crate::rule::Guards;
    use crate::script::{READ, Script};
    use crate::world::Tolerance;

    /// Looks before it opens, in two directories.
    fn findings(tolerances: Vec<Tolerance>) -> (Vec<Finding>, Vec<String>) {
        let mut script = Script::new();
        script.load("/usr/bin/reader");
        for number in 0..10 {
            for directory in ["/srv/app/data", "/srv/app/other", "/srv/app/more"] {
                let path = format!("{directory}/{number}.json");
                script.stat(&path, 40);
                let descriptor = script.open(&path, READ);
                script.read(descriptor, 4096, 40);
                script.close(descriptor);
            }
        }
        script.exit();
        let auditor = Auditor::with_guards(Guards::default()).starting_in("/srv/app");
        let mut auditor = auditor.with_tolerances(tolerances);
        for event in &script.events {
            auditor.observe(event, &script.paths);
        }
        let audit = auditor.finish();
        let about =
            audit.about.into_iter().filter(|fact| fact.kind == FactKind::Unused).map(|fact| fact.text);
        (audit.findings.into_iter().filter(|finding| finding.rule == RuleId(13)).collect(), about.collect())
    }

    fn tolerance() -> Tolerance {
        Tolerance::new(RuleId(13), "measured", ".fathom.toml", ".fathom.toml:3")
    }

    fn told(findings: &[Finding]) -> Vec<(u64, bool)> {
        findings.iter().map(|finding| (finding.count, finding.suppressed.is_some())).collect()
    }

    #[test]
    fn a_rule_is_tolerated_everywhere_or_at_some_paths() {
        assert_eq!(told(&findings(vec![]).0), [(30, false)]);
        let (everywhere, unused) = findings(vec![tolerance()]);
        assert_eq!((told(&everywhere), unused), (vec![(30, true)], vec![]));
        assert!(!everywhere[0].matters() && everywhere[0].suppressed.as_ref().unwrap().reason == "measured");
        let (mut split, _) = findings(vec![tolerance().on_paths("data/*.json").unwrap()]);
        split.sort_by_key(|finding| finding.count);
        assert_eq!(told(&split), [(10, true), (20, false)], "what is left is one finding");
        let paths = split[0].place.paths.as_ref().unwrap();
        assert_eq!((paths.count, paths.pattern().as_str()), (10, "/srv/app/data/*.json"), "{split:?}");
        let (mut one, _) = findings(vec![tolerance().on_paths("data/7.json").unwrap()]);
        one.sort_by_key(|finding| finding.count);
        assert_eq!(told(&one), [(1, true), (29, false)]);
        let both = vec![tolerance().on_paths("data/*").unwrap(), tolerance().on_paths("other/*").unwrap()];
        let mut counts = told(&findings(both).0);
        counts.sort_unstable();
        assert_eq!(counts, [(10, false), (10, true), (10, true)], "each has its reason");
    }

    #[test]
    fn programs_and_functions_are_asked_for_too_and_what_is_unused_is_told() {
        let of = |tolerance: Result<Tolerance, String>| findings(vec![tolerance.unwrap()]);
        assert_eq!(told(&of(tolerance().by_programs("reader")).0), [(30, true)]);
        assert_eq!(told(&of(tolerance().by_programs("/usr/bin/*")).0), [(30, true)]);
        let (live, unused) = of(tolerance().by_programs("writer"));
        assert_eq!(told(&live), [(30, false)]);
        assert_eq!(unused, [".fathom.toml:3: nothing of R13 was found there: remove it, or mend it"]);
        assert_eq!(told(&of(tolerance().in_functions("load*")).0), [(30, false)], "no stack says so");
    }

    #[test]
    fn a_function_is_one_of_the_stacks() {
        let frame = |name: &str| Frame {
            function: Some(name.to_owned()),
            file: None,
            line: None,
            module: None,
            address: None,
            owner: crate::finding::Owner::Yours,
        };
        let frames = [frame("config::load"), frame("main")];
        let one = tolerance().in_functions("config::*").unwrap();
        assert!(one.is_of(RuleId(13), false, None, &frames) && !one.is_of(RuleId(3), false, None, &frames));
        assert!(!one.is_of(RuleId(13), false, None, &frames[1..]));
    }
}

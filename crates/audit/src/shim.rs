//! A wrapper of a program's own name that finds and starts it, as version managers put them before it in
//! `PATH`: what it does would be taken for the program's.

use crate::fact::{AuditFact, FactKind};
use crate::knowledge::Knowledge;
use crate::world::{PlaceId, Places};
use fathom_events::{FileAction, FileEvent};

/// What the process that was started first became.
#[derive(Debug, Default)]
pub(crate) struct Shim {
    /// Its number, and what it was started as.
    first: Option<(u32, PlaceId)>,
    /// The program of the same name that it became, or that a wrapper started which it became, and how
    /// many calls came before.
    program: Option<(PlaceId, u64)>,
}

impl Shim {
    /// Sees the `number`th event, about `place`.
    pub(crate) fn observe(
        &mut self,
        event: &FileEvent,
        number: u64,
        place: Option<PlaceId>,
        places: &Places,
    ) {
        let (FileAction::Execute { .. }, Some(place)) = (&event.action, place) else { return };
        if event.outcome.value().is_none() {
            return;
        }
        let Some((process, first)) = self.first else {
            self.first = Some((event.process, place));
            return;
        };
        if first == place || places.name(first) != places.name(place) {
            return;
        }
        // A wrapper may start another one, which has the program as a child. An interpreter's children may
        // well be interpreters of other places.
        let is_next = process == event.process
            || self.program.is_some_and(|(known, _)| known != place)
                && Knowledge::load().runtime_of_program(places.name(first)).is_none();
        if is_next {
            self.program = Some((place, number - 1));
        }
    }

    /// What there is to say of it, of so many calls in all.
    pub(crate) fn fact(&self, events: u64, places: &Places) -> Option<AuditFact> {
        let ((_, first), (program, before)) = (self.first?, self.program?);
        // A number would stand beside one of file calls, which counts others.
        let share = 100.0 * before as f64 / events.max(1) as f64;
        let text = format!(
            "{} is a wrapper that starts {}: {share:.1} % of the calls came before that; name it \
             instead, if it runs alone (`fathom bench --commands` with both says what that saves)",
            places.path(first),
            places.path(program)
        );
        Some(AuditFact::new(FactKind::Shim, text))
    }
}

#[cfg(test)]
mod tests {
    use crate::auditor::Auditor;
    use crate::fact::FactKind;
    use crate::script::Script;

    fn told(programs: &[&str]) -> Option<String> {
        let mut script = Script::new();
        for program in programs {
            script.execute(program);
            script.open("/etc/hostname", crate::script::READ);
        }
        let mut auditor = Auditor::new();
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        auditor.finish().fact(FactKind::Shim).map(str::to_owned)
    }

    #[test]
    fn a_program_that_a_wrapper_of_its_name_starts_is_named() {
        let text = told(&["/home/ann/.pyenv/shims/python3", "/usr/bin/env", "/opt/python/bin/python3"]);
        let text = text.unwrap();
        assert!(text.starts_with("/home/ann/.pyenv/shims/python3 is a wrapper"), "{text}");
        assert!(text.contains("starts /opt/python/bin/python3: 66.7 % of the calls came before"), "{text}");
    }

    #[test]
    fn of_a_wrapper_that_starts_a_wrapper_the_program_is_named() {
        let chain = |name: &str| {
            let mut script = Script::new();
            for folder in ["/home/ann/.pyenv/shims", "/home/ann/.pyenv/rehash"] {
                script.execute(&format!("{folder}/{name}"));
                script.open("/etc/hostname", crate::script::READ);
            }
            script.fork(77);
            script.act_as(77, 77);
            script.execute(&format!("/opt/python/bin/{name}"));
            script.open("/etc/hostname", crate::script::READ);
            let mut auditor = Auditor::new();
            script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
            auditor.finish().fact(FactKind::Shim).map(str::to_owned).unwrap()
        };
        assert!(chain("pip").contains("starts /opt/python/bin/pip: 71.4 % of the "), "{}", chain("pip"));
        let interpreter = chain("python3");
        assert!(interpreter.contains("starts /home/ann/.pyenv/rehash/python3"), "{interpreter}");
    }

    #[test]
    fn one_that_starts_others_or_itself_again_is_no_wrapper() {
        assert_eq!(told(&["/usr/bin/env", "/usr/bin/python3"]), None);
        assert_eq!(told(&["/usr/bin/java", "/usr/bin/java"]), None);
        assert_eq!(told(&["/usr/bin/make"]), None);
    }
}

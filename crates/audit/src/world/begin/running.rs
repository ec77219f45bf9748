//! A process that ran before it was watched.

use super::{Deed, World, open_flags};
use crate::world::place::resolve;
use fathom_events::{CallOutcome, FileAction, FileEvent, RunningProcess};

impl World {
    /// How often each file was opened, where that was counted.
    pub(crate) fn opens_by_path(&self) -> Vec<(String, u64)> {
        let opens = self.opens.iter().flatten();
        opens.map(|(place, opens)| (self.places.path(*place).to_owned(), *opens)).collect()
    }

    /// Makes known a process that ran before the trace began, or came in meanwhile, with what it has open; of
    /// one that is known, what it sees now.
    pub(crate) fn meet_running(&mut self, running: &RunningProcess) {
        let process = running.process;
        if !self.processes.contains_key(&process) {
            self.meet_process(process);
        }
        let place_of = |world: &mut Self, path: &str| world.places.number(&resolve("", path));
        let root = running.root.as_deref().filter(|root| *root != "/");
        let root = root.map(|root| place_of(self, root));
        let program = running.program.as_deref().map(|program| place_of(self, program));
        let directory = running.directory.as_deref().map(|directory| place_of(self, directory));
        if let Some(known) = self.processes.get_mut(&process) {
            (known.root, known.program) = (root, program);
            known.directory = directory.unwrap_or(known.directory);
        }
        let (action, outcome) = (FileAction::Other, CallOutcome::Unknown);
        let before = FileEvent {
            at_ns: 0,
            process,
            thread: process,
            call: "",
            action,
            outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        };
        for descriptor in &running.descriptors {
            let mut file = self.unnamed(&before, 0);
            file.is_inherited = true;
            file.position = None;
            file.last.deed = Deed::Other;
            file.flags = descriptor.flags();
            file.place = descriptor.file().map(|path| place_of(self, path));
            let close_on_exec = open_flags::has(descriptor.flags(), open_flags::CLOSE_ON_EXEC);
            let file = self.keep(file);
            self.put(&before, descriptor.number, file, close_on_exec, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_events::RunningDescriptor;

    #[test]
    fn what_was_open_is_known_by_its_path_and_its_flags() {
        let open = |number, path: &str, flags| RunningDescriptor { number, path: path.to_owned(), flags };
        let running = RunningProcess {
            process: 7,
            program: Some("/usr/bin/server".to_owned()),
            directory: Some("/srv".to_owned()),
            root: Some("/".to_owned()),
            descriptors: vec![open(0, "pipe:[1]", 0), open(3, "/srv/log", 0o2_002_001)],
        };
        let mut world = World::default();
        world.meet_running(&running);
        let file = |number| {
            let entry = world.descriptor(7, 7, number).unwrap();
            (world.file(entry.file).unwrap(), entry.close_on_exec)
        };
        let (log, close_on_exec) = file(3);
        assert_eq!(log.place.map(|place| world.places.path(place)), Some("/srv/log"));
        assert!(close_on_exec && log.is_inherited && log.position.is_none());
        assert_eq!(log.flags.0 & 1, 1, "for writing");
        let (pipe, close_on_exec) = file(0);
        assert!(pipe.place.is_none() && !close_on_exec);
        // A thread of it has the same table.
        assert!(world.descriptor(8, 7, 3).is_some());
        let process = world.process(7).unwrap();
        assert_eq!(world.places.path(process.directory), "/srv");
        assert_eq!(process.program.map(|program| world.places.path(program)), Some("/usr/bin/server"));
        assert!(process.root.is_none());
    }
}

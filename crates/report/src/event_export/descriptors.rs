//! Which descriptors are open in which process, and what they lead to: as far as the events tell.

use fathom_events::{
    CallOutcome, ControlCommand, DescriptorKind, FileAction, FileEvent, OpenFlags, PathId, RunningProcess,
    Target,
};
use std::collections::BTreeMap;
use std::rc::Rc;

const CLOSE_ON_EXEC: u32 = 0x8_0000;
const EBADF: i32 = 9;

/// What a descriptor leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Leads {
    /// A file by the path with which it was opened.
    To(PathId),
    /// What was open before the first event, as `/proc` has it.
    ToOld(Rc<str>),
    /// Something without a path.
    ToKind(DescriptorKind),
}

/// A descriptor's number in a process, from when it was made to when it was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lifetime {
    /// Its number among all, from 1.
    pub(super) id: u64,
    /// The process, by its number among all.
    pub(super) process: u32,
    /// The descriptor.
    pub(super) number: i32,
    /// What it leads to.
    pub(super) leads: Leads,
}

#[derive(Debug, Clone)]
struct Open {
    lifetime: Lifetime,
    close_on_exec: bool,
}

/// Descriptors of one process, or of several that share them.
#[derive(Debug, Default)]
struct Table {
    open: BTreeMap<i32, Open>,
    sharers: u32,
}

/// What an event did to descriptors.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) begun: Vec<Lifetime>,
    pub(super) ended: Vec<Lifetime>,
}

/// All tables.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    tables: Vec<Table>,
    /// Which table a process has.
    table_of: Vec<usize>,
    free: Vec<usize>,
    lifetimes: u64,
}

impl Descriptors {
    /// A process that nobody saw begin: nothing is known to be open. Its number follows the last one's.
    pub(super) fn meet(&mut self) {
        let table = self.new_table();
        self.table_of.push(table);
    }

    /// What a process that ran before has open.
    pub(super) fn meet_running(&mut self, process: u32, running: &RunningProcess, changes: &mut Changes) {
        for descriptor in &running.descriptors {
            let leads = Leads::ToOld(Rc::from(descriptor.path.as_str()));
            let close_on_exec = descriptor.flags & CLOSE_ON_EXEC != 0;
            self.put(process, descriptor.number, leads, close_on_exec, changes);
        }
    }

    /// A process that another one made. Its number follows the last one's.
    pub(super) fn fork(&mut self, maker: u32, shares: bool, changes: &mut Changes) {
        let of_maker = self.table_of[maker as usize];
        if shares {
            self.tables[of_maker].sharers += 1;
            self.table_of.push(of_maker);
            return;
        }
        let process = u32::try_from(self.table_of.len()).unwrap_or(u32::MAX);
        let table = self.new_table();
        self.table_of.push(table);
        self.copy(of_maker, process, changes);
    }

    /// What a descriptor leads to.
    pub(super) fn leads(&self, process: u32, number: i32) -> Option<&Leads> {
        self.table(process).open.get(&number).map(|open| &open.lifetime.leads)
    }

    /// Follows an event, but for forks.
    pub(super) fn follow(&mut self, process: u32, event: &FileEvent, changes: &mut Changes) {
        match &event.action {
            FileAction::Exit { whole: true, .. } => self.leave(process, changes),
            FileAction::Close { descriptor } => {
                // Whatever else it says, the descriptor is gone (close(2)).
                let stays = matches!(
                    event.outcome,
                    CallOutcome::Failed(EBADF) | CallOutcome::Unfinished | CallOutcome::Unknown
                );
                if !stays {
                    self.close(process, *descriptor, changes);
                }
            }
            action => {
                if let Some(value) = event.outcome.value() {
                    self.follow_success(process, action, i32::try_from(value).ok(), changes);
                }
            }
        }
    }

    fn follow_success(
        &mut self,
        process: u32,
        action: &FileAction,
        value: Option<i32>,
        changes: &mut Changes,
    ) {
        match action {
            FileAction::Open { target: Target::Path { path, .. }, flags: OpenFlags(flags), .. } => {
                if let Some(number) = value {
                    self.put(process, number, Leads::To(*path), flags & CLOSE_ON_EXEC != 0, changes);
                }
            }
            FileAction::Duplicate { descriptor, close_on_exec, .. } => {
                let Some(number) = value.filter(|number| number != descriptor) else { return };
                let leads = self.leads(process, *descriptor).cloned();
                match leads {
                    Some(leads) => self.put(process, number, leads, *close_on_exec, changes),
                    // What it leads to is not known, but what was there before is gone.
                    None => self.close(process, number, changes),
                }
            }
            FileAction::MakeDescriptors { kind, made, close_on_exec } => {
                for number in made.iter().flatten() {
                    self.put(process, *number, Leads::ToKind(*kind), *close_on_exec, changes);
                }
            }
            FileAction::Control {
                descriptor,
                command: ControlCommand::SetDescriptorFlags { close_on_exec },
            } => {
                if let Some(open) = self.table_mut(process).open.get_mut(descriptor) {
                    open.close_on_exec = *close_on_exec;
                }
            }
            FileAction::CloseRange { first, last, mark_only } => {
                let range = clamped(*first)..=clamped(*last);
                let within = self.table(process).open.range(range).map(|(number, _)| *number);
                for number in within.collect::<Vec<_>>() {
                    if !mark_only {
                        self.close(process, number, changes);
                    } else if let Some(open) = self.table_mut(process).open.get_mut(&number) {
                        open.close_on_exec = true;
                    }
                }
            }
            FileAction::OwnDescriptors => self.part(process, changes),
            FileAction::Execute { .. } => {
                self.part(process, changes);
                let open = self.table(process).open.iter().filter(|(_, open)| open.close_on_exec);
                for number in open.map(|(number, _)| *number).collect::<Vec<_>>() {
                    self.close(process, number, changes);
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, process: u32, number: i32, leads: Leads, close_on_exec: bool, changes: &mut Changes) {
        // A number that is given anew was closed, whoever saw it.
        self.close(process, number, changes);
        self.lifetimes += 1;
        let lifetime = Lifetime { id: self.lifetimes, process, number, leads };
        changes.begun.push(lifetime.clone());
        self.table_mut(process).open.insert(number, Open { lifetime, close_on_exec });
    }

    fn close(&mut self, process: u32, number: i32, changes: &mut Changes) {
        let open = self.table_mut(process).open.remove(&number);
        changes.ended.extend(open.map(|open| open.lifetime));
    }

    /// A process ends; with the last that has its table the table does.
    fn leave(&mut self, process: u32, changes: &mut Changes) {
        let at = self.table_of[process as usize];
        let table = &mut self.tables[at];
        if table.sharers > 1 {
            table.sharers -= 1;
        } else {
            let open = std::mem::take(&mut table.open);
            changes.ended.extend(open.into_values().map(|open| open.lifetime));
            if table.sharers == 1 {
                table.sharers = 0;
                self.free.push(at);
            }
        }
    }

    /// A process that shared its descriptors has its own from now on.
    fn part(&mut self, process: u32, changes: &mut Changes) {
        let shared = self.table_of[process as usize];
        if self.tables[shared].sharers < 2 {
            return;
        }
        self.tables[shared].sharers -= 1;
        let own = self.new_table();
        self.table_of[process as usize] = own;
        self.copy(shared, process, changes);
    }

    fn copy(&mut self, from: usize, process: u32, changes: &mut Changes) {
        let open: Vec<_> = self.tables[from].open.values().cloned().collect();
        for Open { lifetime, close_on_exec } in open {
            self.put(process, lifetime.number, lifetime.leads, close_on_exec, changes);
        }
    }

    fn new_table(&mut self) -> usize {
        let at = self.free.pop().unwrap_or_else(|| {
            self.tables.push(Table::default());
            self.tables.len() - 1
        });
        self.tables[at].sharers = 1;
        at
    }

    fn table(&self, process: u32) -> &Table {
        &self.tables[self.table_of[process as usize]]
    }

    fn table_mut(&mut self, process: u32) -> &mut Table {
        &mut self.tables[self.table_of[process as usize]]
    }
}

/// A descriptor of a range; beyond the largest there are none.
fn clamped(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

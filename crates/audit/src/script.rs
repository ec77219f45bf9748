//! Writes event lists for tests, the way a small program would make them.

use crate::audit::Audit;
use crate::auditor::Auditor;
use crate::finding::{Finding, RuleId};
use crate::rule::Guards;
use crate::rule_choice::RuleChoice;
use fathom_events::{
    CallName, CallOutcome, ControlCommand, FileAction, FileEvent, FileFacts, FileIdentity, FileKind, Mount,
    MountTable, OpenFlags, PathTable, Target, Whence,
};
use std::collections::BTreeMap;
use std::ffi::OsStr;

pub(crate) const READ: u32 = 0x8_0000;
pub(crate) const WRITE: u32 = 0x8_0001;
pub(crate) const BOTH: u32 = 0x8_0002;
pub(crate) const CREATE: u32 = 0x8_0041;
pub(crate) const TRUNCATE: u32 = 0x8_0241;

/// A program's calls as they come.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) paths: PathTable,
    pub(crate) events: Vec<FileEvent>,
    open: BTreeMap<(u32, i32), String>,
    process: u32,
    thread: u32,
    at_ns: u64,
    slept_ns: Option<u64>,
    pub(crate) mounts: MountTable,
    pub(crate) words: Vec<String>,
    user: Option<u32>,
}

impl Script {
    pub(crate) fn new() -> Self {
        Self {
            paths: PathTable::new(),
            events: Vec::new(),
            open: BTreeMap::new(),
            process: 100,
            thread: 100,
            at_ns: 1_000_000,
            slept_ns: None,
            mounts: MountTable::default(),
            words: Vec::new(),
            user: None,
        }
    }

    /// What is found, of all rules.
    pub(crate) fn findings(&self, guards: Guards) -> Vec<Finding> {
        self.judged(Auditor::with_guards(guards))
    }

    /// What one rule finds where no other takes a call from it.
    pub(crate) fn findings_of(&self, rule: RuleId, guards: Guards) -> Vec<Finding> {
        let choice = RuleChoice { only: vec![rule], ..RuleChoice::default() };
        self.judged(Auditor::with_guards(guards).with_rules(choice))
    }

    fn judged(&self, auditor: Auditor) -> Vec<Finding> {
        self.audited(auditor).findings
    }

    /// What an auditor finds, all of it.
    pub(crate) fn audited(&self, auditor: Auditor) -> Audit {
        let mut auditor = auditor.with_mounts(self.mounts.clone()).started_with(&self.words);
        if let Some(user) = self.user {
            auditor = auditor.started_by(user);
        }
        for event in &self.events {
            auditor.observe(event, &self.paths);
        }
        auditor.finish()
    }

    /// Before the first call: what is mounted there.
    pub(crate) fn mount(&mut self, point: &str, file_system: &str, options: &str) {
        let (file_system, options) = (file_system.to_owned(), options.to_owned());
        self.mounts.add(Mount { point: point.to_owned(), file_system, options });
    }

    /// With which words it was started, the program's name first.
    pub(crate) fn start_with(&mut self, words: &[&str]) {
        self.words = words.iter().map(|word| (*word).to_owned()).collect();
    }

    /// By which user.
    pub(crate) fn start_by(&mut self, user: u32) {
        self.user = Some(user);
    }

    pub(crate) fn call(&mut self, call: CallName, action: FileAction, outcome: CallOutcome) {
        self.at_ns += 1_000;
        let (at_ns, process, thread) = (self.at_ns, self.process, self.thread);
        self.events.push(FileEvent {
            at_ns,
            process,
            thread,
            call,
            action,
            outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: self.slept_ns.take(),
            stack: None,
        });
    }

    pub(crate) fn works(&mut self, call: CallName, action: FileAction) {
        self.call(call, action, CallOutcome::Value(0));
    }

    pub(crate) fn fails(&mut self, call: CallName, action: FileAction, errno: i32) {
        self.call(call, action, CallOutcome::Failed(errno));
    }

    /// Its threads sleep, and are seen to.
    pub(crate) fn sleep_ms(&mut self, ms: u64) {
        self.wait_ms(ms);
        *self.slept_ns.get_or_insert(0) += ms * 1_000_000;
    }

    /// Time passes: they may work, or wait for a CPU.
    pub(crate) fn wait_ms(&mut self, ms: u64) {
        self.at_ns += ms * 1_000_000;
    }

    pub(crate) fn act_as(&mut self, process: u32, thread: u32) {
        (self.process, self.thread) = (process, thread);
    }

    pub(crate) fn target(&mut self, path: &str) -> Target {
        Target::path(self.paths.number(OsStr::new(path)))
    }

    pub(crate) fn open(&mut self, path: &str, flags: u32) -> i32 {
        let descriptor = (3..4096).find(|number| !self.open.contains_key(&(self.process, *number))).unwrap();
        self.open.insert((self.process, descriptor), path.to_owned());
        let action = FileAction::Open { target: self.target(path), flags: OpenFlags(flags), mode: 0o644 };
        self.call("openat", action, CallOutcome::Value(descriptor.into()));
        descriptor
    }

    pub(crate) fn open_fails(&mut self, path: &str, flags: u32, errno: i32) {
        let action = FileAction::Open { target: self.target(path), flags: OpenFlags(flags), mode: 0o644 };
        self.fails("openat", action, errno);
    }

    pub(crate) fn close(&mut self, descriptor: i32) {
        self.open.remove(&(self.process, descriptor));
        self.works("close", FileAction::Close { descriptor });
    }

    pub(crate) fn close_fails(&mut self, descriptor: i32) {
        self.fails("close", FileAction::Close { descriptor }, 9);
    }

    pub(crate) fn read(&mut self, descriptor: i32, bytes: u64, came: i64) {
        let action = FileAction::Read { descriptor, bytes, offset: None, pieces: 1 };
        self.call("read", action, CallOutcome::Value(came));
    }

    pub(crate) fn read_at(&mut self, descriptor: i32, bytes: u64, came: i64, offset: u64) {
        let action = FileAction::Read { descriptor, bytes, offset: Some(offset), pieces: 1 };
        self.call("pread64", action, CallOutcome::Value(came));
    }

    pub(crate) fn write(&mut self, descriptor: i32, bytes: u64) {
        let action = FileAction::Write { descriptor, bytes, offset: None, pieces: 1 };
        self.call("write", action, CallOutcome::Value(i64::try_from(bytes).unwrap()));
    }

    pub(crate) fn seek(&mut self, descriptor: i32, offset: i64, whence: Whence, position: i64) {
        let action = FileAction::Seek { descriptor, offset, whence };
        self.call("lseek", action, CallOutcome::Value(position));
    }

    pub(crate) fn facts(&mut self, path: &str, kind: FileKind, size_bytes: u64) -> FileFacts {
        let inode = u64::from(self.paths.number(OsStr::new(path)).number()) + 1_000;
        FileFacts {
            identity: Some(FileIdentity { device: 1, inode }),
            kind: Some(kind),
            permissions: Some(0o644),
            owner: Some(1000),
            size_bytes: Some(size_bytes),
            modified_ns: Some(1),
            changed_ns: Some(1),
        }
    }

    pub(crate) fn fstat(&mut self, descriptor: i32, size_bytes: u64) {
        self.fstat_as(descriptor, FileKind::Regular, size_bytes);
    }

    pub(crate) fn fstat_as(&mut self, descriptor: i32, kind: FileKind, size_bytes: u64) {
        let path = self.open.get(&(self.process, descriptor)).cloned().unwrap_or_default();
        let facts = Some(Box::new(self.facts(&path, kind, size_bytes)));
        self.works("fstat", FileAction::Stat { target: Target::Descriptor(descriptor), facts, mask: 0 });
    }

    pub(crate) fn stat(&mut self, path: &str, size_bytes: u64) {
        self.stat_as(path, FileKind::Regular, size_bytes);
    }

    pub(crate) fn stat_as(&mut self, path: &str, kind: FileKind, size_bytes: u64) {
        let facts = Some(Box::new(self.facts(path, kind, size_bytes)));
        let target = self.target(path);
        self.works("newfstatat", FileAction::Stat { target, facts, mask: 0 });
    }

    pub(crate) fn lstat(&mut self, path: &str, size_bytes: u64) {
        let facts = Some(Box::new(self.facts(path, FileKind::Regular, size_bytes)));
        let path = self.paths.number(OsStr::new(path));
        let target = Target::Path { directory: Target::CURRENT_DIRECTORY, path, follow: false };
        self.works("newfstatat", FileAction::Stat { target, facts, mask: 0 });
    }

    pub(crate) fn stat_fails(&mut self, path: &str) {
        let target = self.target(path);
        self.fails("newfstatat", FileAction::Stat { target, facts: None, mask: 0 }, 2);
    }

    pub(crate) fn access(&mut self, path: &str) {
        let target = self.target(path);
        self.works("access", FileAction::Access { target, mode: 4 });
    }

    pub(crate) fn control(&mut self, descriptor: i32, command: ControlCommand) {
        self.works("fcntl", FileAction::Control { descriptor, command });
    }

    pub(crate) fn is_terminal(&mut self, descriptor: i32) {
        self.fails("ioctl", FileAction::DeviceControl { descriptor, request: 0x5401 }, 25);
    }

    pub(crate) fn sync(&mut self, descriptor: i32) {
        self.works("fsync", FileAction::Sync { descriptor: Some(descriptor), data_only: false });
    }

    pub(crate) fn truncate(&mut self, descriptor: i32, bytes: u64) {
        self.works("ftruncate", FileAction::Truncate { target: Target::Descriptor(descriptor), bytes });
    }

    pub(crate) fn rename(&mut self, from: &str, to: &str) {
        let action = FileAction::Rename { from: self.target(from), to: self.target(to), flags: 0 };
        self.works("rename", action);
    }

    pub(crate) fn remove(&mut self, path: &str) {
        let target = self.target(path);
        self.works("unlink", FileAction::Remove { target, directory: false });
    }

    pub(crate) fn duplicate(&mut self, descriptor: i32, to: i32) {
        let path = self.open.get(&(self.process, descriptor)).cloned().unwrap_or_default();
        self.open.insert((self.process, to), path);
        let action = FileAction::Duplicate { descriptor, to: Some(to), close_on_exec: false };
        self.call("dup2", action, CallOutcome::Value(to.into()));
    }

    /// The caller forks; the child then acts by `act_as`.
    pub(crate) fn fork(&mut self, child: u32) {
        let own: Vec<_> = self
            .open
            .range((self.process, 0)..=(self.process, i32::MAX))
            .map(|(key, path)| (key.1, path.clone()))
            .collect();
        self.open.extend(own.into_iter().map(|(number, path)| ((child, number), path)));
        let action =
            FileAction::Fork { shares_descriptors: false, shares_directory: false, is_thread: false };
        self.call("clone", action, CallOutcome::Value(child.into()));
    }

    /// The caller makes a thread, which need not act.
    pub(crate) fn start_thread(&mut self, thread: u32) {
        let action = FileAction::Fork { shares_descriptors: true, shares_directory: true, is_thread: true };
        self.call("clone3", action, CallOutcome::Value(thread.into()));
    }

    pub(crate) fn execute(&mut self, path: &str) {
        let target = self.target(path);
        self.works("execve", FileAction::Execute { target });
    }

    pub(crate) fn exit(&mut self) {
        self.call("exit_group", FileAction::Exit { code: Some(0), whole: true }, CallOutcome::Unfinished);
    }

    /// Maps a file as code, as a loader does.
    pub(crate) fn map_as_code(&mut self, descriptor: i32) {
        let map =
            FileAction::Map { descriptor: Some(descriptor), offset: 0, bytes: 8192, protection: 5, flags: 2 };
        self.call("mmap", map, CallOutcome::Value(0x7f00_0000));
    }

    /// What the dynamic loader does before `main`.
    pub(crate) fn load(&mut self, program: &str) {
        self.execute(program);
        let target = self.target("/etc/ld.so.preload");
        self.fails("access", FileAction::Access { target, mode: 4 }, 2);
        for (path, size) in [("/etc/ld.so.cache", 38_667), ("/lib/libc.so.6", 1_926_232)] {
            let file = self.open(path, READ);
            if size > 100_000 {
                self.read(file, 832, 832);
                self.read_at(file, 784, 784, 64);
            }
            self.fstat(file, size);
            let action =
                FileAction::Map { descriptor: Some(file), offset: 0, bytes: size, protection: 1, flags: 2 };
            self.call("mmap", action, CallOutcome::Value(0x7f00_0000));
            self.close(file);
        }
        self.works("munmap", FileAction::Unmap { address: 0x7f00_0000, bytes: 38_667 });
    }
}

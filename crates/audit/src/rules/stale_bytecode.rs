//! R74: Python modules compiled at every start, since their bytecode is stale or missing; and other
//! files that are made anew though what is there would do.

mod rebuilt;

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::first_look::FirstLook;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, Places, World};
use fathom_events::FileAction;
use rebuilt::{DIFFERS, FEW, LOG_OR_LOCK, OUTDATED, RebuiltCaches, USED};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(74),
    name: "stale-bytecode",
    needs: "paths of open, reads and rename, times that stat told",
    guards: &[WRITTEN, LATER, OUTDATED, USED, DIFFERS, FEW, LOG_OR_LOCK],
    begin: |guards| {
        Box::new(StaleBytecode {
            guards,
            rebuilt: RebuiltCaches::default(),
            looks: Recent::default(),
            sources: Recent::default(),
            compiled: BTreeMap::new(),
            stale: Cases::default(),
            missing: Cases::default(),
        })
    },
};

const WRITTEN: Guard = Guard { name: "written", spares: "new bytecode was written: the next start finds it" };
const LATER: Guard = Guard {
    name: "later",
    spares: "something else was looked up in between: the source is read as text, for a traceback or by inspect",
};

const STALE: Words = Words::cost(
    "stale Python bytecode: the .pyc is read and rejected, the source compiled again",
    "compile with `python -m compileall --invalidation-mode unchecked-hash` (or pip under SOURCE_DATE_EPOCH), keep the times of sources when copying, or make __pycache__ writable; compiling costs far more than the calls shown",
    "the source may just have been changed, and a later start may write the bytecode",
);

const MISSING: Words = Words::cost(
    "no Python bytecode: the source is compiled, and the .pyc not kept",
    "compile once with `python -m compileall`, make __pycache__ writable, or set PYTHONPYCACHEPREFIX; compiling costs far more than the calls shown",
    "keeping no bytecode may be meant (python -B, PYTHONDONTWRITEBYTECODE)",
);

#[derive(Debug)]
struct StaleBytecode {
    guards: Guards,
    rebuilt: RebuiltCaches,
    /// What a thread looked for last.
    looks: Recent<u32, Look>,
    /// Sources that are open, with the process and the bytecode.
    sources: Recent<FileNumber, (u32, PlaceId)>,
    /// By process and bytecode: modules that were compiled.
    compiled: BTreeMap<u32, BTreeMap<PlaceId, Module>>,
    stale: Cases,
    missing: Cases,
}

/// Bytecode was looked for.
#[derive(Debug)]
struct Look {
    bytecode: PlaceId,
    /// Its open file; `None` where there was none.
    file: Option<FileNumber>,
    is_read: bool,
    /// Something else was looked up since.
    is_old: bool,
    call: Claim,
}

/// A module whose source was read after the bytecode.
#[derive(Debug)]
struct Module {
    is_stale: bool,
    is_read: bool,
    calls: Claims,
    scene: Scene,
}

impl Rule for StaleBytecode {
    fn interest(&self) -> Interest {
        Interest::by_path().and(&[Kind::Read, Kind::Close, Kind::Exit])
    }

    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Stat, Kind::Rename]).but_first_looks()
    }

    fn remembers(&self) -> bool {
        !self.looks.is_empty()
            || !self.compiled.is_empty()
            || !self.sources.is_empty()
            || self.rebuilt.remembers()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.rebuilt.observe(moment, self.guards);
        match moment.action() {
            FileAction::Open { .. } => self.opened(moment),
            FileAction::Read { .. } | FileAction::Close { .. } => self.read(moment),
            FileAction::Rename { .. } if moment.is_ok() => self.written(moment.process(), moment.other_place),
            FileAction::Exit { whole: true, .. } => self.settle(moment.process(), moment.world),
            _ if moment.place.is_some() => {
                if let Some(look) = self.looks.get_mut(&moment.thread()) {
                    look.is_old = true;
                }
            }
            _ => {}
        }
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Rename])
    }

    fn recall(&mut self, look: &FirstLook, _call: Claim, _world: &World) {
        self.rebuilt.recall(look);
    }

    fn finish(&mut self, world: &World) {
        self.rebuilt.finish(world, self.guards);
        for process in self.compiled.keys().copied().collect::<Vec<_>>() {
            self.settle(process, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&STALE, &self.stale), (&MISSING, &self.missing), self.rebuilt.cases()]
    }
}

impl StaleBytecode {
    fn opened(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        if moment.world.places.path(place).strip_suffix(".pyc").is_some() {
            self.looked(moment, place);
            return;
        }
        let Some(look) = self.looks.remove(&moment.thread()) else { return };
        let is_looked_at = look.file.is_none() || look.is_read;
        let Some(source) = moment.file.filter(|_| moment.is_ok() && is_looked_at) else { return };
        if !is_source_of(place, look.bytecode, &moment.world.places) || self.guards.spare(LATER, look.is_old)
        {
            return;
        }
        let is_stale = look.file.is_some();
        // Where there is no bytecode, only the open in vain could be saved: reading it costs as much
        // as reading the source.
        let calls = [if is_stale { moment.claim() } else { look.call }].into_iter().collect();
        let scene = Scene::among(moment, Some(look.bytecode), &[look.bytecode, place]);
        // Python looks, and whoever keeps the module sees to it that there is good bytecode.
        let scene = scene.kept_by_runtime(moment.world.owns_as_runtime(moment.process(), place));
        let module = Module { is_stale, is_read: false, calls, scene };
        self.compiled.entry(moment.process()).or_default().insert(look.bytecode, module);
        self.sources.insert(source.number, (moment.process(), look.bytecode));
    }

    /// Bytecode was opened, or was not there.
    fn looked(&mut self, moment: &Moment<'_>, bytecode: PlaceId) {
        let FileAction::Open { flags, .. } = moment.action() else { return };
        if open_flags::can_write(*flags) {
            if moment.is_ok() {
                self.written(moment.process(), Some(bytecode));
            }
        } else if moment.is_ok() || moment.errno() == Some(ENOENT) {
            let file = moment.file.filter(|_| moment.is_ok()).map(|file| file.number);
            let call = moment.claim();
            self.looks.insert(moment.thread(), Look { bytecode, file, is_read: false, is_old: false, call });
        }
    }

    fn read(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file else { return };
        if let Some(look) = self.looks.get_mut(&moment.thread())
            && look.file == Some(file.number)
        {
            look.is_read |= moment.bytes > 0;
            return;
        }
        let Some((process, bytecode)) = self.sources.get(&file.number) else { return };
        let modules = self.compiled.get_mut(process);
        let Some(module) = modules.and_then(|modules| modules.get_mut(bytecode)) else { return };
        let is_close = matches!(moment.action(), FileAction::Close { .. });
        module.is_read |= moment.bytes > 0;
        // A read that finds the end is another rule's.
        if module.is_stale && (is_close || moment.bytes > 0) {
            module.calls.push(moment.claim());
        }
        if is_close {
            self.sources.remove(&file.number);
        }
    }

    fn written(&mut self, process: u32, bytecode: Option<PlaceId>) {
        let modules = self.compiled.get_mut(&process).zip(bytecode);
        if let Some((modules, bytecode)) = modules
            && self.guards.spare(WRITTEN, modules.contains_key(&bytecode))
        {
            modules.remove(&bytecode);
        }
    }

    fn settle(&mut self, process: u32, world: &World) {
        let modules = self.compiled.remove(&process).unwrap_or_default();
        for module in modules.into_values().filter(|module| module.is_read) {
            let cases = if module.is_stale { &mut self.stale } else { &mut self.missing };
            cases.claim_scene(&module.scene, 1, &module.calls, world);
        }
    }
}

/// True of `DIRECTORY/NAME.py` and `DIRECTORY/__pycache__/NAME.cpython-311.pyc`.
fn is_source_of(source: PlaceId, bytecode: PlaceId, places: &Places) -> bool {
    let Some(cache) = places.parent(bytecode).filter(|cache| places.name(*cache) == "__pycache__") else {
        return false;
    };
    let name = places.name(bytecode).split('.').next();
    places.parent(cache) == places.parent(source) && places.name(source).strip_suffix(".py") == name
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script};
    use fathom_events::FileKind;
    fn read_file(script: &mut Script, path: &str) {
        let file = script.open(path, READ);
        script.fstat(file, 900);
        script.read(file, 901, 900);
        script.read(file, 1, 0);
        script.close(file);
    }
    fn bytecode(module: u32) -> String {
        format!("/srv/app/__pycache__/m{module}.cpython-311.pyc")
    }
    fn look(script: &mut Script, path: &str, (size_bytes, modified_ns): (u64, i64)) {
        let mut facts = script.facts(path, FileKind::Regular, size_bytes);
        facts.modified_ns = Some(modified_ns);
        let target = script.target(path);
        script.works("newfstatat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
    }
    /// A process compares a cache with its source, reads the source and makes the cache anew.
    fn rebuild(script: &mut Script, process: u32, cache: (u64, i64), source: i64) {
        script.act_as(process, process);
        look(script, "/data/table.cache", cache);
        look(script, "/data/table", (900, source));
        read_file(script, "/data/table");
        let new = format!("/data/table.cache.{process}");
        let file = script.open(&new, CREATE | open_flags::TRUNCATE);
        script.write(file, 500);
        script.close(file);
        script.rename(&new, "/data/table.cache");
        script.exit();
    }
    fn import(script: &mut Script, module: u32) {
        script.stat(&format!("/srv/app/m{module}.py"), 900);
        read_file(script, &bytecode(module));
        read_file(script, &format!("/srv/app/m{module}.py"));
    }
    crate::trio::Trio {
        rule: 74,
        waste: |script| {
            (0..9).for_each(|module| import(script, module));
            for module in 10..14 {
                script.open_fails(&bytecode(module), READ, ENOENT);
                read_file(script, &format!("/srv/app/m{module}.py"));
                script.open_fails(&format!("{}.139", bytecode(module)), CREATE | open_flags::EXCLUSIVE, 13);
            }
            script.exit();
            (0..4).for_each(|worker| rebuild(script, 200 + worker, (500, 70 + i64::from(worker)), 10));
            // One process, in place.
            script.act_as(300, 300);
            for time in 0..3 {
                look(script, "/data/names", (900, 10));
                look(script, "/data/names.index", (500, 70 + time));
                read_file(script, "/data/names");
                let file = script.open("/data/names.index", crate::script::TRUNCATE);
                script.write(file, 500);
                script.close(file);
            }
            script.exit();
        },
        count: 13 + 4 + 3,
        fixed: |script| {
            for module in 0..9 {
                script.stat(&format!("/srv/app/m{module}.py"), 900);
                read_file(script, &bytecode(module));
            }
        },
        look_alikes: &[
            ("written", |script| {
                for module in 0..9 {
                    import(script, module);
                    let new = format!("{}.139", bytecode(module));
                    let file = script.open(&new, CREATE | open_flags::EXCLUSIVE);
                    script.write(file, 900);
                    script.close(file);
                    script.rename(&new, &bytecode(module));
                }
            }),
            ("later", |script| {
                read_file(script, &bytecode(1));
                script.stat("/srv/app/m1.py", 900);
                read_file(script, "/srv/app/m1.py");
            }),
            // The source was touched; the cache is as old.
            ("outdated", |script| {
                (0..4).for_each(|worker| rebuild(script, 200 + worker, (500, 10), 70));
                (0..4).for_each(|worker| rebuild(script, 300 + worker, (500, 70), 70));
            }),
            ("used", |script| {
                for worker in 0..4 {
                    script.act_as(200 + worker, 200 + worker);
                    look(script, "/data/table.cache", (500, 70));
                    read_file(script, "/data/table.cache");
                    rebuild(script, 200 + worker, (500, 70 + i64::from(worker)), 10);
                }
            }),
            ("differs", |script| {
                for worker in 0..6 {
                    rebuild(script, 200 + worker, (500 + u64::from(worker), 70 + i64::from(worker)), 10);
                }
            }),
            // Another program works with what was made.
            ("differs", |script| {
                for worker in 0..6 {
                    rebuild(script, 200 + worker, (500, 70 + i64::from(worker)), 10);
                    script.act_as(100, 100);
                    let file = script.open("/data/table.cache", crate::script::WRITE);
                    script.write(file, 10);
                    script.close(file);
                }
            }),
            ("few", |script| {
                (0..2).for_each(|worker| rebuild(script, 200 + worker, (500, 70 + i64::from(worker)), 10));
            }),
            ("log-or-lock", |script| {
                for time in 0..6 {
                    look(script, "/data/settings", (900, 10));
                    look(script, "/data/app.pid", (5, 70 + time));
                    read_file(script, "/data/settings");
                    let file = script.open("/data/app.pid", crate::script::TRUNCATE);
                    script.write(file, 5);
                    script.close(file);
                }
            }),
            // A status is written at each turn of a program that reads its settings for another reason.
            ("", |script| {
                for time in 0..6 {
                    look(script, "/data/settings", (900, 10));
                    read_file(script, "/data/settings");
                    (0..4).for_each(|_| script.is_terminal(1));
                    look(script, "/data/status", (50, 70 + time));
                    let file = script.open("/data/status", crate::script::TRUNCATE);
                    script.write(file, 50);
                    script.close(file);
                }
            }),
            // Another module's source, and one that is never read.
            ("", |script| {
                read_file(script, &bytecode(1));
                read_file(script, "/srv/app/m2.py");
                read_file(script, &bytecode(3));
                let source = script.open("/srv/app/m3.py", READ);
                script.close(source);
            }),
        ],
    }
};

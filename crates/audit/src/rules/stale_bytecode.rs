//! R74: Python modules compiled at every start, since their bytecode is stale or missing.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, Places, World};
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(74),
    name: "stale-bytecode",
    needs: "paths of open, reads and rename",
    guards: &[WRITTEN, LATER],
    begin: |guards| {
        Box::new(StaleBytecode {
            guards,
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
        Interest::in_calls(&[Kind::Open])
    }

    fn remembers(&self) -> bool {
        !self.looks.is_empty() || !self.compiled.is_empty() || !self.sources.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
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

    fn finish(&mut self, world: &World) {
        for process in self.compiled.keys().copied().collect::<Vec<_>>() {
            self.settle(process, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&STALE, &self.stale), (&MISSING, &self.missing)]
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
        },
        count: 13,
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

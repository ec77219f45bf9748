//! R26: the time zone asked for again and again, and locales under names that are not there.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::World;
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(26),
    name: "zone-and-locale",
    needs: "paths of stat and open; asking nscd by its socket is not seen",
    guards: &[FEW_ZONES, FEW_LOCALES, NOT_FOUND],
    begin: |guards| {
        Box::new(ZoneAndLocale {
            guards,
            zones: Recent::default(),
            locales: BTreeMap::new(),
            zone: Cases::default(),
            locale: Cases::default(),
        })
    },
};

const FEW_ZONES: Guard = Guard { name: "few-zones", spares: "once or twice is what a program needs" };
const FEW_LOCALES: Guard = Guard { name: "few-locales", spares: "one part of the locale, looked for once" };
const NOT_FOUND: Guard = Guard {
    name: "not-found",
    spares: "no other spelling of the locale is there either: it is not installed",
};

/// The file that says which zone is the machine's.
const ZONE: &str = "/etc/localtime";
/// Where locales lie.
const LOCALES: &str = "/usr/lib/locale/";
/// From this many looks on it is a habit.
const ZONE_HABIT: u64 = 3;
/// From this many parts of a locale on.
const LOCALE_HABIT: u64 = 4;

const ZONES: Words = Words::cost(
    "the C library looks at /etc/localtime for every time that it converts",
    "set TZ=:/etc/localtime, or convert with localtime_r after one tzset",
    "a program that runs for long and heeds a change of the zone needs the look",
);

const SPELLINGS: Words = Words::cost(
    "locale files looked up under a spelling that does not exist, then found under another",
    "set LC_ALL or LANG to the name as it lies on disk (C.utf8 instead of C.UTF-8), or build a locale-archive",
    "the spelling may be set for other machines too",
);

#[derive(Debug)]
struct ZoneAndLocale {
    guards: Guards,
    zones: Recent<u32, Vec<Claim>>,
    locales: BTreeMap<u32, Locales>,
    zone: Cases,
    locale: Cases,
}

#[derive(Debug, Default)]
struct Locales {
    missed: u64,
    calls: Claims,
    scene: Option<Scene>,
    is_found: bool,
}

impl Rule for ZoneAndLocale {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::Open, Kind::Execute, Kind::Exit])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Stat { .. } => {
                let Some(place) = moment.judged_place().filter(|_| moment.is_ok()) else { return };
                if moment.world.places.is_at(place, ZONE) {
                    self.zone(moment);
                }
            }
            FileAction::Open { .. } => {
                let Some(place) = moment.judged_place() else { return };
                if moment.world.places.path(place).starts_with(LOCALES) {
                    self.locale(moment);
                }
            }
            FileAction::Execute { .. } | FileAction::Exit { whole: true, .. } => {
                self.zones.remove(&moment.process());
                self.settle(moment.process(), moment.world);
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        let processes: Vec<u32> = self.locales.keys().copied().collect();
        for process in processes {
            self.settle(process, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&ZONES, &self.zone), (&SPELLINGS, &self.locale)]
    }
}

impl ZoneAndLocale {
    fn zone(&mut self, moment: &Moment<'_>) {
        let looks = self.zones.entry(moment.process());
        looks.push(moment.claim());
        let count = looks.len() as u64;
        if self.guards.spare(FEW_ZONES, count < ZONE_HABIT) {
            return;
        }
        // The first look is needed; those before the habit count once it is one.
        let from = if count == ZONE_HABIT { 1 } else { looks.len() - 1 };
        let calls: Claims = looks[from..].iter().copied().collect();
        self.zone.claim_libcs(moment, calls.calls(), &calls);
    }

    fn locale(&mut self, moment: &Moment<'_>) {
        let locales = self.locales.entry(moment.process()).or_default();
        let name = moment.place.map(|place| moment.world.places.path(place).to_owned()).unwrap_or_default();
        let is_part = name[LOCALES.len()..].contains('/');
        if moment.errno() == Some(ENOENT) && is_part {
            locales.missed += 1;
            locales.calls.push(moment.claim());
            locales.scene.get_or_insert_with(|| Scene::of(moment));
        }
        locales.is_found |= moment.is_ok() && is_part && locales.missed > 0;
    }

    fn settle(&mut self, process: u32, world: &World) {
        let Some(locales) = self.locales.remove(&process) else { return };
        let Some(scene) = locales.scene else { return };
        if !self.guards.spare(FEW_LOCALES, locales.missed < LOCALE_HABIT)
            && !self.guards.spare(NOT_FOUND, !locales.is_found)
        {
            self.locale.claim_scene(&scene, locales.missed, &locales.calls, world);
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn locale(script: &mut Script, parts: usize, is_there: bool) {
        for part in &["LC_CTYPE", "LC_TIME", "LC_NUMERIC", "LC_PAPER", "LC_NAME"][..parts] {
            script.open_fails(&format!("/usr/lib/locale/C.UTF-8/{part}"), READ, 2);
            let found = format!("/usr/lib/locale/C.utf8/{part}");
            if is_there {
                let file = script.open(&found, READ);
                script.close(file);
            } else {
                script.open_fails(&found, READ, 2);
            }
        }
    }
    crate::trio::Trio {
        rule: 26,
        waste: |script| {
            (0..20).for_each(|_| script.stat(ZONE, 100));
            locale(script, 5, true);
        },
        count: 19 + 5,
        fixed: |script| {
            script.stat(ZONE, 100);
            let file = script.open("/usr/lib/locale/C.utf8/LC_CTYPE", READ);
            script.close(file);
        },
        look_alikes: &[
            ("few-zones", |script| (0..2).for_each(|_| script.stat(ZONE, 100))),
            ("few-locales", |script| locale(script, 1, true)),
            ("not-found", |script| locale(script, 5, false)),
        ],
    }
};

//! The methods that plans may name, and the drivers that perform what was planned.

use crate::progress::Progress;
use fathom_catalog::{MethodRegistry, Plan};
use fathom_lab::{
    BuildStep, BuildWatch, Driver, DriverSet, Launcher, manifest_of, ranked_drivers, shipped_manifests,
    split_toolchain, with_toolchain,
};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// The methods of the shipped drivers, of the user's own, and of shipped ones with a
/// toolchain that one of these method patterns asks for (`java@25:...`).
pub(crate) fn registry<'a>(
    patterns: impl Iterator<Item = &'a str>,
    own: &[Driver],
) -> anyhow::Result<MethodRegistry> {
    let mut manifests = shipped_manifests()?;
    let drivers = patterns.filter_map(|pattern| pattern.split_once(':')).map(|(driver, _)| driver);
    for name in drivers.collect::<BTreeSet<_>>() {
        let Some((base, _)) = split_toolchain(name) else { continue };
        let found = manifests.iter().find(|manifest| manifest.name == base).cloned();
        manifests.extend(found.map(|manifest| with_toolchain(&manifest, name)));
    }
    for driver in own {
        manifests.retain(|manifest| manifest.name != driver.description.driver);
        manifests.push(manifest_of(&driver.description));
    }
    Ok(MethodRegistry::new(manifests)?)
}

/// What a build takes its time for, in words.
pub(crate) fn build_note(step: BuildStep<'_>) -> String {
    match step {
        BuildStep::Compiles(name) => format!("building the {name} driver (once) ..."),
        BuildStep::Waits(name) => format!("waiting for another fathom that builds the {name} driver ..."),
    }
}

/// Builds and starts what the plans need; what cannot be had is noted in the set.
pub(crate) fn prepare_drivers(
    plans: &[Plan],
    (own, launcher): (Vec<Driver>, Option<&Launcher>),
    progress: &mut Progress,
    stop: &AtomicBool,
) -> anyhow::Result<DriverSet> {
    let own_names: BTreeSet<String> = own.iter().map(|driver| driver.description.driver.clone()).collect();
    let used: BTreeSet<&str> = plans
        .iter()
        .flat_map(|plan| &plan.comparisons)
        .flat_map(|comparison| &comparison.variants)
        .map(|variant| variant.method.driver.as_str())
        .filter(|name| !own_names.contains(*name))
        .collect();
    let mut tell = |step: BuildStep<'_>| progress.note(&build_note(step));
    if let Some(launcher) = launcher {
        return Ok(ranked_drivers(launcher, &mut BuildWatch { tell: &mut tell, stop: Some(stop) })?);
    }
    let mut drivers = DriverSet::prepare(used, &mut BuildWatch { tell: &mut tell, stop: Some(stop) })?;
    for driver in own {
        drivers.insert(driver);
    }
    Ok(drivers)
}

//! Price lists on disk: kept whole or not at all, found again while they fit.

use super::{Effort, PRICE_LIST_VERSION, PriceError};
use crate::files::limited_read::ReadLimit;
use fathom_collect::Machine;
use fathom_model::{DeviceFacts, PlaceFacts, PriceList, Reading};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A file of the folder, and what it holds.
#[derive(Debug)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// Its prices, or why it is no price list.
    pub list: Result<PriceList, PriceError>,
}

/// Where lists are kept: `fathom/prices` below `XDG_DATA_HOME` or `~/.local/share`.
pub fn folder() -> Result<PathBuf, PriceError> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")));
    Ok(base.ok_or(PriceError::NoFolder)?.join("fathom/prices"))
}

/// Reads a list.
pub fn read(path: &Path) -> Result<PriceList, PriceError> {
    let foreign = |what: String| PriceError::Foreign { path: path.to_owned(), what };
    let file = |error| PriceError::File { path: path.to_owned(), error };
    let text = ReadLimit::LIST.read(path).map_err(file)?;
    ReadLimit::LIST.check_values(&text).map_err(file)?;
    match serde_json::from_slice::<PriceList>(&text) {
        Ok(list) if list.schema_version == PRICE_LIST_VERSION => Ok(list),
        // Why not is looked for only then: it takes as long again.
        _ => read_in_steps(&text).map_err(foreign),
    }
}

/// The list, or what it is instead, from the outside inwards.
fn read_in_steps(text: &[u8]) -> Result<PriceList, String> {
    let value: serde_json::Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    if value.get("prices").is_none_or(|prices| !prices.is_array()) || value.get("processes").is_none() {
        return Err("it has no prices".to_owned());
    }
    match value.get("schema_version").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(PRICE_LIST_VERSION) => {}
        Some(version) => {
            return Err(format!(
                "it has schema version {version}, this Fathom reads version {PRICE_LIST_VERSION}"
            ));
        }
        None => return Err("it has no schema_version".to_owned()),
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// Writes a list to a new file of the folder, `TIME-FILESYSTEM-DEVICE.json`.
pub fn keep(list: &PriceList) -> Result<PathBuf, PriceError> {
    let folder = folder()?;
    let stem = stem_of(list);
    for number in 1..1000 {
        let tail = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{stem}{tail}.json"));
        match write_new(list, &path) {
            Err(PriceError::File { error, .. }) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            other => return other.map(|()| path),
        }
    }
    let error = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
    Err(PriceError::File { path: folder.join(stem), error })
}

/// Every file of the folder that ends in `.json`, the newest list first.
pub fn all() -> Result<Vec<Kept>, PriceError> {
    let folder = folder()?;
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(PriceError::File { path: folder, error }),
    };
    let mut kept: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| Kept { list: read(&path), path })
        .collect();
    // A date in UTC of one form sorts as text; the path decides between lists of one second.
    let created = |kept: &Kept| kept.list.as_ref().map(|list| list.created.clone()).unwrap_or_default();
    kept.sort_by_cached_key(|kept| std::cmp::Reverse((created(kept), kept.path.clone())));
    Ok(kept)
}

/// The newest list that was taken on this machine, kernel and file system in a session as
/// long as a quick one at least; only where there is none, the newest of a shorter one.
pub fn fitting(machine: &Machine, place: &PlaceFacts) -> Result<Option<(PathBuf, PriceList)>, PriceError> {
    let lists = all()?.into_iter().filter_map(|kept| Some((kept.path, kept.list.ok()?)));
    Ok(preferred(lists.filter(|(_, list)| fits(list, machine, place))))
}

/// Of lists from the newest on.
fn preferred(lists: impl Iterator<Item = (PathBuf, PriceList)>) -> Option<(PathBuf, PriceList)> {
    let mut short = None;
    for (path, list) in lists {
        if lasted(&list) {
            return Some((path, list));
        }
        short.get_or_insert((path, list));
    }
    short
}

/// True of a list whose session was not cut shorter than a quick one.
fn lasted(list: &PriceList) -> bool {
    list.noise.value().is_some_and(|noise| noise.seconds >= Effort::QUICK.time.as_secs_f64())
}

fn fits(list: &PriceList, machine: &Machine, place: &PlaceFacts) -> bool {
    let there = &list.place;
    Machine::from(&list.environment) == *machine
        && there.file_system == place.file_system
        && there.magic == place.magic
        && there.mount_options == place.mount_options
        && identity(&there.device) == identity(&place.device)
}

/// What says which device it is; its settings may change.
fn identity(device: &Reading<DeviceFacts>) -> Option<(&str, &str)> {
    device.value().map(|device| (device.name.as_str(), device.number.as_str()))
}

fn stem_of(list: &PriceList) -> String {
    let time = list.created.replace([':', '-'], "");
    let device = list.place.device.value().map_or("memory", |device| device.name.as_str());
    let device = if list.place.in_memory { "memory" } else { device };
    let stem = format!("{time}-{}-{device}", list.place.file_system);
    stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

/// Appears under its name when it is whole, and never in place of another.
fn write_new(list: &PriceList, path: &Path) -> Result<(), PriceError> {
    let failed = |error| PriceError::File { path: path.to_owned(), error };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::Builder::new().prefix(".fathom-prices-").tempfile_in(folder).map_err(failed)?;
    let text = serde_json::to_vec(list).map_err(|error| failed(error.into()))?;
    file.write_all(&text).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    // Meant to be read by others, unlike other temporary files.
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644)).map_err(failed)?;
    file.persist_noclobber(path).map_err(|error| failed(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Floors;
    use fathom_testkit::{directory_place, environment, quiet_noise};

    fn list() -> PriceList {
        PriceList {
            schema_version: PRICE_LIST_VERSION,
            fathom_version: "0".to_owned(),
            created: "2026-11-01T12:00:00Z".to_owned(),
            environment: environment(),
            floors: Floors::not_taken(),
            noise: Reading::Value(quiet_noise(9.0)),
            place: directory_place("/somewhere"),
            processes: 10,
            prices: Vec::new(),
            unpriced: Vec::new(),
        }
    }

    #[test]
    fn a_list_fits_its_machine_and_file_system_wherever_the_directory_is() {
        let (list, machine) = (list(), Machine::from(&environment()));
        assert!(fits(&list, &machine, &directory_place("/elsewhere")));
        let newer = Machine { kernel: "7.0.0".to_owned(), ..machine.clone() };
        assert!(!fits(&list, &newer, &directory_place("/somewhere")));
        let mut place = directory_place("/somewhere");
        place.mount_options = Reading::Value(vec!["rw".to_owned(), "sync".to_owned()]);
        assert!(!fits(&list, &machine, &place));
        let mut place = directory_place("/somewhere");
        if let Reading::Value(device) = &mut place.device {
            device.read_ahead_kib = Reading::Value(4);
        }
        assert!(fits(&list, &machine, &place), "a setting of the device is not the device");
        place.device = Reading::unavailable("gone");
        assert!(!fits(&list, &machine, &place));
    }

    #[test]
    fn a_short_sitting_does_not_replace_a_longer_one() {
        let chosen = |newest_first: &[f64]| {
            let taken = |(seconds, number): (&f64, usize)| {
                let noise = Reading::Value(quiet_noise(*seconds));
                (PathBuf::from(number.to_string()), PriceList { noise, ..list() })
            };
            let found = preferred(newest_first.iter().zip(0..).map(taken));
            found.map(|(path, _)| path.display().to_string())
        };
        assert_eq!(chosen(&[2.1, 11.0, 40.0]).as_deref(), Some("1"));
        assert_eq!(chosen(&[40.0, 2.1]).as_deref(), Some("0"));
        assert_eq!(chosen(&[2.1, 3.0]).as_deref(), Some("0"), "better than none");
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn lists_are_written_once_and_read_back_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join(stem_of(&list()) + ".json");
        write_new(&list(), &path).unwrap();
        assert!(path.ends_with("20261101T120000Z-ext4-vda.json"), "{}", path.display());
        assert_eq!(read(&path).unwrap(), list());
        assert!(write_new(&list(), &path).is_err(), "another list is never replaced");
        for (text, words) in [
            ("hello", "is not a price list: expected value"),
            ("{\"schema_version\": 1}", "it has no prices"),
            ("{\"prices\": [], \"processes\": 3, \"schema_version\": 9}", "schema version 9"),
            ("{\"prices\": [], \"processes\": 3}", "no schema_version"),
            ("{\"prices\": [], \"processes\": 3, \"schema_version\": 1}", "missing field"),
        ] {
            fs::write(&path, text).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(words) && error.contains("vda.json"), "{error}");
        }
    }
}

//! Proactive page-out by DAMON: whether the kernel takes pages out of memory
//! because nobody used them for a while, though memory is not short.

use crate::source;
use fathom_model::Reading;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The schemes that page out, each in words; none where DAMON is absent or off. `sys` is `/sys`.
pub(crate) fn damon_page_out(sys: &Path) -> Reading<Vec<String>> {
    let found = || -> Result<Vec<String>, String> {
        let mut schemes = Vec::new();
        schemes.extend(reclaim_module(&sys.join("module/damon_reclaim/parameters"))?);
        for kdamond in numbered(&sys.join("kernel/mm/damon/admin/kdamonds"))? {
            if text(&kdamond.join("state"))?.as_deref() != Some("on") {
                continue;
            }
            for context in numbered(&kdamond.join("contexts"))? {
                for scheme in numbered(&context.join("schemes"))? {
                    if text(&scheme.join("action"))?.as_deref() == Some("pageout") {
                        schemes.push(words(&context, &scheme)?);
                    }
                }
            }
        }
        Ok(schemes)
    };
    found().into()
}

/// The module with a scheme of its own.
fn reclaim_module(parameters: &Path) -> Result<Option<String>, String> {
    if text(&parameters.join("enabled"))?.as_deref() != Some("Y") {
        return Ok(None);
    }
    let idle_us = number(&parameters.join("min_age"))?;
    Ok(Some(format!("damon_reclaim pages out what {}", idle(idle_us))))
}

/// A scheme in words. Its least age is in aggregation intervals.
fn words(context: &Path, scheme: &Path) -> Result<String, String> {
    let intervals = number(&scheme.join("access_pattern/age/min"))?;
    let interval_us = number(&context.join("monitoring_attrs/intervals/aggr_us"))?;
    let idle_us = intervals.zip(interval_us).map(|(intervals, us)| intervals.saturating_mul(us));
    let of = match text(&context.join("operations"))?.as_deref() {
        Some("paddr") => "of the whole machine",
        _ => "of some processes",
    };
    Ok(format!("DAMON pages out what {}, {of}", idle(idle_us)))
}

fn idle(idle_us: Option<u64>) -> String {
    match idle_us {
        Some(us) => format!("was not used for {} s", us / 1_000_000),
        None => "was not used for a while".to_owned(),
    }
}

/// The subfolders that are called 0, 1, ...; none where the folder is not there.
fn numbered(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("{}: {error}", folder.display())),
    };
    let is_number = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.parse::<u32>().is_ok())
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_number).collect();
    paths.sort();
    Ok(paths)
}

/// A file's text; `None` where there is no such file.
fn text(path: &Path) -> Result<Option<String>, String> {
    match fs::exists(path) {
        Ok(false) => Ok(None),
        _ => match source::text(path) {
            Reading::Value(text) => Ok(Some(text)),
            Reading::Unavailable(reason) => Err(reason),
        },
    }
}

fn number(path: &Path) -> Result<Option<u64>, String> {
    Ok(text(path)?.and_then(|text| text.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A `/sys` with these files.
    fn sys(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        damon_page_out(sys(files).path()).value().unwrap().clone()
    }

    const SCHEME: &str = "kernel/mm/damon/admin/kdamonds/0/contexts/0/schemes/0";

    fn kdamond(state: &str, action: &str) -> Vec<String> {
        let context = "kernel/mm/damon/admin/kdamonds/0/contexts/0";
        found(&[
            ("kernel/mm/damon/admin/kdamonds/nr_kdamonds", "1\n"),
            ("kernel/mm/damon/admin/kdamonds/0/state", &format!("{state}\n")),
            (&format!("{context}/operations"), "paddr\n"),
            (&format!("{context}/monitoring_attrs/intervals/aggr_us"), "5000000\n"),
            (&format!("{SCHEME}/action"), &format!("{action}\n")),
            (&format!("{SCHEME}/access_pattern/age/min"), "12\n"),
        ])
    }

    #[test]
    fn a_kdamond_that_pages_out_is_told_with_its_age() {
        let expected = ["DAMON pages out what was not used for 60 s, of the whole machine"];
        assert_eq!(kdamond("on", "pageout"), expected);
    }

    #[test]
    fn a_kdamond_that_is_off_or_does_something_else_is_none() {
        assert!(kdamond("off", "pageout").is_empty());
        assert!(kdamond("on", "stat").is_empty());
    }

    #[test]
    fn the_reclaim_module_counts_where_it_is_enabled() {
        let module = |enabled: &str| {
            found(&[
                ("module/damon_reclaim/parameters/enabled", enabled),
                ("module/damon_reclaim/parameters/min_age", "120000000\n"),
            ])
        };
        assert_eq!(module("Y\n"), ["damon_reclaim pages out what was not used for 120 s"]);
        assert!(module("N\n").is_empty());
    }

    #[test]
    fn a_kernel_without_damon_pages_nothing_out() {
        assert!(found(&[]).is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_a_reason() {
        let folder = sys(&[]);
        fs::create_dir_all(folder.path().join("kernel/mm/damon/admin/kdamonds/0/state")).unwrap();
        let Reading::Unavailable(reason) = damon_page_out(folder.path()) else { panic!("a value") };
        assert!(reason.contains("kdamonds/0/state"), "{reason}");
    }
}

//! `cargo xtask pictures`: the pictures of the experiments' pages, drawn from their kept
//! records, in docs/images/experiments; and the section of each page that shows them.

use crate::section::replace_section;
use anyhow::Context;
use fathom_catalog::SHIPPED;
use fathom_model::Record;
use fathom_report::{RecordPictures, record_pictures};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
const FOLDER: &str = "images/experiments";
const BEGIN: &str = "<!-- pictures -->";
const END: &str = "<!-- /pictures -->";
const HEADING: &str = "## Pictures";

/// Writes every picture, and into every page where it is; removes those of no record.
pub(crate) fn write() -> anyhow::Result<()> {
    let rendered = rendered()?;
    std::fs::create_dir_all(Path::new(DOCS).join(FOLDER))?;
    for path in written()?.difference(&rendered.keys().cloned().collect()) {
        std::fs::remove_file(Path::new(DOCS).join(path))
            .with_context(|| format!("failed to remove {}", path.display()))?;
    }
    for (path, text) in rendered {
        let path = Path::new(DOCS).join(path);
        std::fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
    }
    Ok(())
}

/// What lies in the folder of pictures.
fn written() -> anyhow::Result<BTreeSet<PathBuf>> {
    let entries = std::fs::read_dir(Path::new(DOCS).join(FOLDER))?;
    entries.map(|entry| Ok(Path::new(FOLDER).join(entry?.file_name()))).collect()
}

/// Every picture and every page with its section, by their paths below docs/.
fn rendered() -> anyhow::Result<BTreeMap<PathBuf, String>> {
    let mut rendered = BTreeMap::new();
    for shipped in SHIPPED {
        let name = shipped.name;
        let record: Record = serde_json::from_str(&read(&format!("experiments/records/{name}.json"))?)
            .with_context(|| format!("failed to read the record of {name}"))?;
        let pictures = record_pictures(&record);
        let page = PathBuf::from(format!("experiments/{name}.md"));
        rendered.insert(page, with_section(&read(&format!("experiments/{name}.md"))?, name, &pictures));
        for sheet in pictures.sheets {
            rendered.insert(Path::new(FOLDER).join(format!("{name}{}.svg", sheet.suffix)), sheet.svg);
        }
    }
    Ok(rendered)
}

fn read(name: &str) -> anyhow::Result<String> {
    let path = Path::new(DOCS).join(name);
    std::fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))
}

/// The page with its pictures, in a section at its end where it had none.
fn with_section(page: &str, name: &str, pictures: &RecordPictures) -> String {
    let text = section(name, pictures);
    if let Some(renewed) = replace_section(page, BEGIN, END, &text) {
        return renewed;
    }
    if pictures.sheets.is_empty() {
        return page.to_owned();
    }
    format!("{}\n\n{HEADING}\n\n{BEGIN}\n{text}\n{END}\n", page.trim_end())
}

fn section(name: &str, pictures: &RecordPictures) -> String {
    if pictures.sheets.is_empty() {
        return "The record has nothing to draw.".to_owned();
    }
    let mut pieces: Vec<String> = pictures
        .sheets
        .iter()
        .map(|sheet| format!("![{}](../{FOLDER}/{name}{}.svg)", sheet.description, sheet.suffix))
        .collect();
    let more = match pictures.left_out {
        0 => String::new(),
        1 => " 1 picture is only there.".to_owned(),
        more => format!(" {more} pictures are only there."),
    };
    pieces.push(format!(
        "Drawn from the record by `cargo run -p xtask -- pictures`; \
         `fathom report docs/experiments/records/{name}.json` has them with all figures.{more}"
    ));
    pieces.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STALE: &str = "is stale: run `cargo run -p xtask -- pictures`";

    #[test]
    fn pictures_are_those_of_the_kept_records() {
        let rendered = rendered().unwrap();
        for (path, text) in &rendered {
            let written = std::fs::read_to_string(Path::new(DOCS).join(path)).unwrap_or_default();
            assert!(written == *text, "docs/{} {STALE}", path.display());
        }
        let pictures: BTreeSet<PathBuf> =
            rendered.into_keys().filter(|path| path.starts_with(FOLDER)).collect();
        assert_eq!(written().unwrap(), pictures);
        assert!(pictures.len() > SHIPPED.len() / 2, "{pictures:?}");
    }

    #[test]
    fn pictures_are_small_and_nothing_in_them_runs_or_is_loaded() {
        for path in written().unwrap() {
            let text = std::fs::read_to_string(Path::new(DOCS).join(&path)).unwrap();
            assert!(text.len() < 60_000, "{}: {} bytes", path.display(), text.len());
            for word in ["<script", "onload", "onclick", "href=", "url(http", "@import"] {
                assert!(!text.contains(word), "{} holds {word}", path.display());
            }
        }
    }

    #[test]
    fn sections_are_put_at_the_end_once_and_renewed() {
        let sheet = |suffix: &str| fathom_report::PictureSheet {
            suffix: suffix.to_owned(),
            description: "x: y".to_owned(),
            svg: String::new(),
        };
        let one = RecordPictures { sheets: vec![sheet("")], left_out: 0 };
        let two = RecordPictures { sheets: vec![sheet(""), sheet("-stacks")], left_out: 3 };
        let page = with_section("# x\n\nwords\n", "x", &one);
        assert!(page.starts_with(
            "# x\n\nwords\n\n## Pictures\n\n<!-- pictures -->\n![x: y](../images/experiments/x.svg)"
        ));
        let page = with_section(&page, "x", &two);
        assert_eq!(page.matches(HEADING).count(), 1, "{page}");
        assert!(page.contains("x-stacks.svg") && page.contains("3 pictures are only there"), "{page}");
        let none = RecordPictures { sheets: Vec::new(), left_out: 0 };
        assert_eq!(with_section("# x\n", "x", &none), "# x\n");
    }
}

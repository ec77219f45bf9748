//! `cargo xtask book`: docs/ as a book, by mdbook. Pages of the source tree to which
//! the docs link (the protocol, the architecture) are staged beside them, so that
//! every link leads somewhere in the book too. The tests hold the links of the docs.

mod links;
mod stage;

use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The top of the source tree.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Sends a browser from the top to the first page.
const FIRST_PAGE: &str = "<!doctype html><title>Fathom</title><meta http-equiv=\"refresh\" content=\"0; url=docs/index.html\"><a href=\"docs/index.html\">Fathom</a>\n";

/// Builds the book.
pub(crate) fn build() -> anyhow::Result<()> {
    let found = Command::new("mdbook").arg("--version").stdout(Stdio::null()).status();
    anyhow::ensure!(
        found.is_ok_and(|status| status.success()),
        "mdbook is not installed: `cargo install mdbook --locked` gets it"
    );
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| Path::new(ROOT).join("target"), PathBuf::from);
    let folder = std::path::absolute(target.join("book"))?;
    let html = folder.join("html");
    stage::write(Path::new(ROOT), &folder)?;
    let status = Command::new("mdbook").arg("build").arg(&folder).arg("--dest-dir").arg(&html).status();
    let status = status.context("failed to start mdbook")?;
    anyhow::ensure!(status.success(), "mdbook ended with {status}");
    std::fs::write(html.join("index.html"), FIRST_PAGE).context("failed to write the first page")?;
    crate::calibrate::note(&format!("the book: {}", html.join("index.html").display()));
    Ok(())
}

/// Every Markdown file below a folder.
fn markdown_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("failed to read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(markdown_files(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use links::Page;
    use std::collections::{BTreeMap, BTreeSet};

    /// Pages below docs/ that are in no part of the book.
    const NOT_IN_THE_BOOK: [&str; 1] = ["SUMMARY.md"];
    /// Pages elsewhere whose links are held too.
    const OTHERS: [&str; 3] = ["README.md", "ARCHITECTURE.md", "drivers/PROTOCOL.md"];

    fn root() -> PathBuf {
        Path::new(ROOT).canonicalize().unwrap()
    }

    fn read(path: &Path) -> Page {
        Page::read(&std::fs::read_to_string(path).unwrap())
    }

    #[test]
    fn every_page_is_in_the_summary_once() {
        let docs = root().join("docs");
        let summary = read(&docs.join("SUMMARY.md"));
        let listed: BTreeSet<_> = summary.links.iter().cloned().collect();
        assert_eq!(listed.len(), summary.links.len(), "a page is listed twice");
        let known = listed.into_iter().chain(NOT_IN_THE_BOOK.map(str::to_owned)).collect::<BTreeSet<_>>();
        let written = markdown_files(&docs).unwrap();
        let written = written.iter().map(|path| path.strip_prefix(&docs).unwrap().display().to_string());
        let written: BTreeSet<_> = written.collect();
        let one_sided: Vec<_> = known.symmetric_difference(&written).collect();
        assert!(one_sided.is_empty(), "listed or written, not both: {one_sided:?}");
    }

    #[test]
    fn every_link_leads_somewhere() {
        let root = root();
        let mut files = markdown_files(&root.join("docs")).unwrap();
        files.extend(OTHERS.map(|name| root.join(name)));
        let pages: BTreeMap<_, _> = files.iter().map(|file| (file.clone(), read(file))).collect();
        let mut broken = Vec::new();
        let mut followed = 0;
        for (file, page) in &pages {
            for link in page.links.iter().filter(|link| !links::is_elsewhere(link)) {
                followed += 1;
                if let Err(reason) = follow(file, link, &pages, &root) {
                    broken.push(format!("{}: {link}: {reason}", file.strip_prefix(&root).unwrap().display()));
                }
            }
        }
        assert!(followed > 200, "only {followed} links were found");
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }

    fn follow(file: &Path, link: &str, pages: &BTreeMap<PathBuf, Page>, root: &Path) -> Result<(), String> {
        let (path, anchor) = links::split(link);
        let folder = file.parent().unwrap();
        let target = if path.is_empty() { file.to_owned() } else { folder.join(path) };
        let target = target.canonicalize().map_err(|error| error.to_string())?;
        if !target.starts_with(root) {
            return Err("it leaves the source tree".to_owned());
        }
        match (anchor, pages.get(&target)) {
            (None, _) => Ok(()),
            (Some(anchor), Some(page)) if page.anchors.contains(anchor) => Ok(()),
            (Some(_), _) => Err("no such heading".to_owned()),
        }
    }
}

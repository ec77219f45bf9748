//! `cargo xtask screenshot`: the README's picture, of the page that `fathom report`
//! makes of a kept record of a real run, taken in headless Chromium.

use crate::calibrate::{note, programs::build_fathom};
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The top of the source tree.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The record whose page is shown.
const RECORD: &str = "docs/samples/open-go.json";
/// The picture.
const PICTURE: &str = "docs/images/report.png";
/// Programs that are the browser, the first that is there.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Pixels of the window, width and height: the first screen, with the answer and its picture.
const WINDOW: &str = "1280,800";

/// Makes the page and takes the picture; `fathom` is the program to ask, or one is built.
pub(crate) fn take(fathom: Option<&Path>) -> anyhow::Result<()> {
    let browser = browser()?;
    let fathom = fathom.map_or_else(build_fathom, |fathom| Ok(fathom.to_owned()))?;
    let root = Path::new(ROOT).canonicalize().context("failed to find the source tree")?;
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let page = folder.path().join("report.html");
    run(Command::new(&fathom).arg("report").arg(root.join(RECORD)).arg("-o").arg(&page))?;
    let picture = root.join(PICTURE);
    std::fs::create_dir_all(picture.parent().expect("it lies in a folder"))
        .with_context(|| format!("failed to make a folder for {}", picture.display()))?;
    let mut shot = Command::new(browser);
    shot.args(["--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update"])
        .arg(format!("--window-size={WINDOW}"))
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--screenshot={}", picture.display()))
        .stderr(Stdio::null());
    if rustix::process::getuid().is_root() {
        // The browser's own sandbox does not work for root.
        shot.arg("--no-sandbox");
    }
    run(shot.arg(format!("file://{}", page.display())))?;
    anyhow::ensure!(picture.is_file(), "the browser made no picture");
    note(&format!("the picture: {}", picture.display()));
    Ok(())
}

fn browser() -> anyhow::Result<PathBuf> {
    let found = BROWSERS.iter().find(|name| {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    });
    found.map(PathBuf::from).with_context(|| format!("no browser: none of {}", BROWSERS.join(", ")))
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_owned();
    let status = command.status().with_context(|| format!("failed to start {}", name.display()))?;
    anyhow::ensure!(status.success(), "{} ended with {status}", name.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_shows_the_picture_of_a_kept_record() {
        let root = Path::new(ROOT);
        let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
        assert!(readme.contains(&format!("]({PICTURE})")), "the README shows another picture");
        let head = std::fs::read(root.join(PICTURE)).unwrap();
        assert!(head.starts_with(b"\x89PNG"), "{PICTURE} is no picture");
        assert!(root.join(RECORD).is_file());
    }
}

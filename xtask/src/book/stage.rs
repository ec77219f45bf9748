//! The book's sources: a copy of docs/ at its own name, and beside it, at theirs,
//! the files of the source tree to which its pages link.

use super::links::{self, Page};
use super::markdown_files;
use anyhow::Context;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Writes `book.toml` and `source/` into `folder`, in place of what is there.
pub(super) fn write(root: &Path, folder: &Path) -> anyhow::Result<()> {
    let root = root.canonicalize().context("failed to find the source tree")?;
    let source = folder.join("source");
    if source.exists() {
        std::fs::remove_dir_all(&source).with_context(|| format!("failed to empty {}", source.display()))?;
    }
    copy_folder(&root.join("docs"), &source.join("docs"))?;
    let outside = outside(&root)?;
    for path in &outside {
        copy(&root.join(path), &source.join(path))?;
    }
    let summary = read(&root.join("docs/SUMMARY.md"))?;
    write_text(&source.join("SUMMARY.md"), &self::summary(&summary, &root, &outside)?)?;
    let book = read(&root.join("docs/book.toml"))?;
    write_text(&folder.join("book.toml"), &book.replace("src = \".\"", "src = \"source\""))
}

/// The files outside of docs/ that its pages link to, and those that these link to.
fn outside(root: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut open = markdown_files(&root.join("docs"))?;
    let mut outside = BTreeSet::new();
    while let Some(page) = open.pop() {
        let folder = page.parent().context("a page lies in a folder")?.to_owned();
        for link in Page::read(&read(&page)?).links.iter().filter(|link| !links::is_elsewhere(link)) {
            let target = folder.join(links::split(link).0);
            let target = target.canonicalize().with_context(|| format!("{}: {link}", page.display()))?;
            for file in files(&target)? {
                let path = file.strip_prefix(root).context("a link leaves the source tree")?.to_owned();
                let is_new = !path.starts_with("docs") && outside.insert(path);
                if is_new && file.extension().is_some_and(|ending| ending == "md") {
                    open.push(file);
                }
            }
        }
    }
    Ok(outside)
}

/// The file, or the files of a folder.
fn files(target: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !target.is_dir() {
        return Ok(vec![target.to_owned()]);
    }
    let paths = std::fs::read_dir(target)?.map(|entry| Ok(entry?.path()));
    let paths = paths.collect::<std::io::Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.is_file()).collect())
}

/// The summary of the docs seen from above them, and the pages from elsewhere.
fn summary(docs: &str, root: &Path, outside: &BTreeSet<PathBuf>) -> anyhow::Result<String> {
    let mut lines = vec![docs.replace("](", "](docs/"), "# Pages of the source tree\n".to_owned()];
    for path in outside.iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let title = Page::read(&read(&root.join(path))?).title;
        lines.push(format!("- [{title}]({})", path.display()));
    }
    Ok(lines.join("\n") + "\n")
}

fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(from).with_context(|| format!("failed to read {}", from.display()))? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else if !["SUMMARY.md", "book.toml"].iter().any(|name| entry.file_name() == *name) {
            copy(&from, &to)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    debug_assert!(!to.components().any(|part| part == Component::ParentDir), "inside the stage");
    if from.extension().is_some_and(|ending| ending == "md") {
        // mdbook makes index.html of README.md, and leaves links to it as they are.
        return write_text(to, &read(from)?.replace("/README.md)", "/index.md)"));
    }
    make_parent(to)?;
    std::fs::copy(from, to).with_context(|| format!("failed to copy {}", from.display()))?;
    Ok(())
}

fn write_text(to: &Path, text: &str) -> anyhow::Result<()> {
    make_parent(to)?;
    std::fs::write(to, text).with_context(|| format!("failed to write {}", to.display()))
}

fn make_parent(of: &Path) -> anyhow::Result<()> {
    let folder = of.parent().context("a file lies in a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("failed to make {}", folder.display()))
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_docs_link_to_is_staged_beside_them() {
        let tree = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("docs/SUMMARY.md", "# S\n\n- [A](a.md)\n"),
            ("docs/book.toml", "[book]\nsrc = \".\"\n"),
            (
                "docs/a.md",
                "# A\n\n[p](../drivers/P.md#x) [c](../catalog/) [w](https://x.invalid/y) [r](d/README.md)\n",
            ),
            ("drivers/P.md", "# The protocol\n\n[l](../LICENSE)\n"),
            ("catalog/c.toml", "c"),
            ("LICENSE", "l"),
            ("docs/d/README.md", "# D\n"),
            ("other.md", "# nobody links here\n"),
        ] {
            write_text(&tree.path().join(name), text).unwrap();
        }
        let book = tempfile::tempdir().unwrap();
        for _again in 0..2 {
            write(tree.path(), book.path()).unwrap();
        }
        let text = |name: &str| std::fs::read_to_string(book.path().join(name)).unwrap();
        let expected =
            "# S\n\n- [A](docs/a.md)\n\n# Pages of the source tree\n\n- [The protocol](drivers/P.md)\n";
        assert_eq!(text("source/SUMMARY.md"), expected);
        assert_eq!(text("book.toml"), "[book]\nsrc = \"source\"\n");
        assert_eq!(text("source/catalog/c.toml") + &text("source/LICENSE"), "cl");
        assert!(text("source/docs/a.md").contains("[r](d/index.md)"));
        assert!(!book.path().join("source/other.md").exists());
    }
}

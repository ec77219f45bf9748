//! Blocks of columns that share their rows: as many beside each other as the
//! page holds, further ones below.

use crate::columns::{Column, lines};
use crate::label::{elided, widest};
use crate::page::{Ink, Page};
use crate::text::times::pad;
use crate::visible::visible;
use crate::wrap::{elide, width};
use std::collections::BTreeSet;

/// Names are shortened to this before blocks are moved below each other.
const NAME_WIDTH: usize = 28;
/// Names narrower than this tell nothing any more.
const NAME_WIDTH_MIN: usize = 14;

/// Blanks before a title.
const GAP: usize = 2;
/// Titles narrower than this tell nothing any more.
const TITLE_WIDTH_MIN: usize = 12;
/// A title may be so much wider than its figures before it is cut.
const TITLE_SLACK: usize = 4;

/// A title over some columns, whose own headings are not shown.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) title: String,
    pub(super) columns: Vec<Column>,
}

/// The blocks behind the names of their rows.
pub(super) fn render(page: &mut Page, heading: &str, names: &[String], blocks: &[Block]) {
    let names: Vec<_> = names.iter().map(|name| visible(name)).collect();
    let name = widest(&names).max(width(heading)).min(NAME_WIDTH);
    let bodies = bodies(blocks, page.width() - 2 - name);
    let widest_body = bodies.iter().filter_map(|lines| lines.first()).map(|line| width(line)).max();
    let room = page.width().saturating_sub(2 + widest_body.unwrap_or(0));
    let wanted = name.min(room.max(NAME_WIDTH_MIN));
    // Names that would look the same when cut are wider than their column: the page wraps nothing here.
    let names = elided(&names, wanted).unwrap_or_else(|| numbered(&names, wanted));
    let mut left = bodies.as_slice();
    while !left.is_empty() {
        let count = fitting(left, page.width().saturating_sub(2 + wanted));
        let (now, later) = left.split_at(count);
        for row in 0..=names.len() {
            let name = row.checked_sub(1).map_or(heading, |row| names[row].as_str());
            let figures: String = now.iter().map(|lines| lines[row].as_str()).collect();
            page.row(&format!("  {}{figures}", pad(name, wanted)), "", Ink::Plain);
        }
        left = later;
        if !left.is_empty() {
            page.blank();
        }
    }
}

/// Each block's title and rows, all equally wide. Titles are cut where that
/// puts all blocks beside each other, or a title is much wider than its
/// figures; but never so that two of them look alike.
fn bodies(blocks: &[Block], room: usize) -> Vec<Vec<String>> {
    let rows: Vec<_> = blocks.iter().map(|block| lines(&block.columns).split_off(1)).collect();
    let figures: Vec<_> = rows.iter().map(|rows| rows.first().map_or(0, |row| width(row))).collect();
    let full: Vec<_> = blocks.iter().map(|block| visible(&block.title)).collect();
    let longest = widest(&full);
    let total = |most: usize| -> usize {
        let each =
            full.iter().zip(&figures).map(|(title, &figures)| figures.max(GAP + width(title).min(most)));
        each.sum()
    };
    let all_fit = (TITLE_WIDTH_MIN..=longest).rev().find(|&most| total(most) <= room);
    let most = |figures: usize| all_fit.unwrap_or((figures + TITLE_SLACK).saturating_sub(GAP));
    let cut = || full.iter().zip(&figures).map(|(title, &figures)| elide(title, most(figures)));
    let is_distinct = cut().collect::<BTreeSet<_>>().len() == full.iter().collect::<BTreeSet<_>>().len();
    let titles: Vec<_> = if is_distinct {
        cut().collect()
    } else {
        full.iter().map(|title| elide(title, room - GAP)).collect()
    };
    titles.iter().zip(&rows).map(|(title, rows)| body(title, rows)).collect()
}

fn body(title: &str, rows: &[String]) -> Vec<String> {
    let wide = rows.iter().map(|row| width(row)).chain([GAP + width(title)]).max().unwrap_or(0);
    let title = format!("{}{title}", " ".repeat(GAP));
    std::iter::once(&title).chain(rows).map(|line| pad(line, wide)).collect()
}

fn fitting(bodies: &[Vec<String>], room: usize) -> usize {
    let mut used = 0;
    let fits = |lines: &&Vec<String>| {
        used += lines.first().map_or(0, |line| width(line));
        used <= room
    };
    bodies.iter().take_while(fits).count().max(1)
}

fn numbered(names: &[String], room: usize) -> Vec<String> {
    let numbered = |(index, name): (usize, &String)| {
        let number = format!("{} ", index + 1);
        format!("{number}{}", elide(name, room.saturating_sub(number.len())))
    };
    names.iter().enumerate().map(numbered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;

    fn shown(wide: usize, names: &[&str]) -> String {
        let mut page = Page::new(&TextOptions::default());
        let block = |title: &str| Block {
            title: title.to_owned(),
            columns: vec![Column::right("unseen", vec!["9".repeat(wide); names.len()])],
        };
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        render(&mut page, "method", &names, &[block("1 B"), block("2 B"), block("3 B")]);
        page.finish()
    }

    #[test]
    fn what_does_not_fit_beside_stands_below() {
        let text = shown(20, &["a", "b"]);
        assert_eq!(text.matches("method").count(), 1, "{text}");
        let text = shown(30, &["a", "b"]);
        assert_eq!(text.matches("method").count(), 2, "{text}");
        assert!(text.contains("1 B") && text.contains("3 B") && !text.contains("unseen"), "{text}");
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    }

    #[test]
    fn titles_are_cut_to_fit_beside_but_not_to_look_alike() {
        let titled = |titles: [&str; 2]| {
            let mut page = Page::new(&TextOptions::default());
            let cells = || vec![Column::right("", vec!["9".to_owned()])];
            let blocks = titles.map(|title| Block { title: title.to_owned(), columns: cells() });
            render(&mut page, "method", &["a".to_owned()], &blocks);
            page.finish()
        };
        let long = "go:os.Open+bufio+io.ReadAll+and+much+more";
        let text = titled([long, "go:os.ReadFile+to+the+end+of+the+file"]);
        assert!(text.lines().count() == 2 && text.contains('…'), "{text}");
        let text = titled([long, "go:os.Open+bufio+xx+io.ReadAll+and+much+more"]);
        assert!(text.lines().count() == 5 && !text.contains('…'), "{text}");
    }

    #[test]
    fn names_that_would_look_alike_are_numbered() {
        let long = ["native:abcdefghijklmno-1-pqrstuvwxyzabc", "native:abcdefghijklmno-2-pqrstuvwxyzabc"];
        let text = shown(20, &long);
        assert!(text.contains("1 native") && text.contains("2 native"), "{text}");
    }
}

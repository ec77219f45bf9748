//! What stands below the options of a `--help`: paragraphs, and listings, whose
//! lines are indented by two.

/// A piece of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// Words that may be broken into other lines.
    Paragraph(String),
    /// Lines that stay as they are, without their indentation.
    Listing(Vec<String>),
}

/// The pieces of a text.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut blank = false;
    for line in text.lines() {
        let listed = line.strip_prefix("  ");
        match (blocks.last_mut(), listed) {
            _ if line.trim().is_empty() => {
                blank = true;
                continue;
            }
            (Some(Block::Listing(lines)), Some(listed)) => {
                if blank {
                    lines.push(String::new());
                }
                lines.push(listed.to_owned());
            }
            (_, Some(listed)) => blocks.push(Block::Listing(vec![listed.to_owned()])),
            (Some(Block::Paragraph(words)), None) if !blank => {
                words.push(' ');
                words.push_str(line);
            }
            (_, None) => blocks.push(Block::Paragraph(line.to_owned())),
        }
        blank = false;
    }
    blocks
}

/// The pieces that show examples, without their heading, and the rest. An example is
/// a listing that begins with `fathom`; the paragraph before it belongs to it.
pub(super) fn examples_and_notes(text: &str) -> (Vec<Block>, Vec<Block>) {
    let (mut examples, mut notes) = (Vec::new(), Vec::new());
    let mut pending: Option<Block> = None;
    for block in blocks(text) {
        match block {
            Block::Paragraph(_) => notes.extend(pending.replace(block)),
            Block::Listing(ref lines) if lines[0].starts_with("fathom") => {
                let heading = Block::Paragraph("Examples:".to_owned());
                examples.extend(pending.take().filter(|paragraph| *paragraph != heading));
                examples.push(block);
            }
            Block::Listing(_) => {
                notes.extend(pending.take());
                notes.push(block);
            }
        }
    }
    notes.extend(pending);
    (examples, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Examples:\n  fathom a\n  fathom b\n\nMore, in\none line:\n  fathom c\n\nA file\nsays:\n\n  x = 1\n\n  [y]\nand\nends.";

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(text.to_owned())
    }

    fn listing(lines: &[&str]) -> Block {
        Block::Listing(lines.iter().map(|&line| line.to_owned()).collect())
    }

    #[test]
    fn indented_lines_are_listings_and_the_rest_flows() {
        let expected = [
            paragraph("Examples:"),
            listing(&["fathom a", "fathom b"]),
            paragraph("More, in one line:"),
            listing(&["fathom c"]),
            paragraph("A file says:"),
            listing(&["x = 1", "", "[y]"]),
            paragraph("and ends."),
        ];
        assert_eq!(blocks(TEXT), expected);
    }

    #[test]
    fn examples_are_told_from_notes() {
        let (examples, notes) = examples_and_notes(TEXT);
        let shown =
            [listing(&["fathom a", "fathom b"]), paragraph("More, in one line:"), listing(&["fathom c"])];
        assert_eq!(examples, shown);
        let rest = [paragraph("A file says:"), listing(&["x = 1", "", "[y]"]), paragraph("and ends.")];
        assert_eq!(notes, rest);
    }
}

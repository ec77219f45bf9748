//! One page for man: clap's own sections, then the examples and notes, which clap
//! would run together into one paragraph.

use super::after_help::{Block, blocks, examples_and_notes};
use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// The name of the file: `fathom-driver-check.1`.
pub(super) fn file_name(command: &Command) -> String {
    Man::new(command.clone()).get_filename()
}

/// The page.
pub(super) fn render(command: &Command) -> anyhow::Result<String> {
    let source = concat!("fathom ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source).manual("Fathom");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().any(|command| !command.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    further_sections(command).to_writer(&mut page)?;
    String::from_utf8(page).context("a page holds other than text")
}

fn further_sections(command: &Command) -> Roff {
    let mut roff = Roff::default();
    let text = |help: Option<&clap::builder::StyledStr>| help.map(ToString::to_string).unwrap_or_default();
    let is_top = !command.get_display_name().unwrap_or_default().contains('-');
    if is_top {
        section(&mut roff, "EXAMPLES", &blocks(&text(command.get_before_help())));
        section(&mut roff, "EXIT STATUS", &blocks(&text(command.get_after_help())));
    } else {
        let (examples, notes) = examples_and_notes(&text(command.get_after_help()));
        section(&mut roff, "EXAMPLES", &examples);
        section(&mut roff, "NOTES", &notes);
        roff.control("SH", ["SEE ALSO"]);
        roff.text([bold("fathom"), roman("(1)")]);
    }
    roff
}

fn section(roff: &mut Roff, name: &str, blocks: &[Block]) {
    if blocks.is_empty() {
        return;
    }
    roff.control("SH", [name]);
    for block in blocks {
        match block {
            Block::Paragraph(words) => {
                roff.control("PP", []);
                roff.text([roman(words)]);
            }
            Block::Listing(lines) => {
                roff.control("PP", []);
                roff.control("RS", ["4"]);
                roff.control("nf", []);
                for line in lines {
                    roff.text([roman(line)]);
                }
                roff.control("fi", []);
                roff.control("RE", []);
            }
        }
    }
}

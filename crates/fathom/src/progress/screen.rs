//! Lines on a terminal that are drawn over each other. The cursor stands below
//! them: what is typed meanwhile, an interrupt too, is wiped with them, and after a
//! kill a shell goes on there. (A progress-bar library leaves it behind a full line,
//! where an echoed ^C breaks the line and shifts everything by one.)

use console::{Term, is_dumb, measure_text_width};
use fathom_report::Screen as Size;

/// Rows and columns of a terminal that does not know.
const USUAL: (u16, u16) = (24, 80);

/// What is drawn on the terminal of standard error.
pub(crate) struct Screen {
    term: Term,
    color: bool,
    drawn: Vec<String>,
}

impl Screen {
    /// Nothing drawn; `None` where standard error is no terminal that can move its cursor.
    pub(crate) fn of_terminal() -> Option<Self> {
        let term = Term::buffered_stderr();
        if !term.is_term() || is_dumb() {
            return None;
        }
        let choice = anstream::AutoStream::choice(&std::io::stderr());
        let color = !matches!(choice, anstream::ColorChoice::Never);
        Some(Self { term, color, drawn: Vec::new() })
    }

    /// What there is to draw on now.
    pub(crate) fn size(&self) -> Size {
        let (rows, columns) = self.term.size_checked().unwrap_or(USUAL);
        Size { columns: columns.into(), rows: rows.into(), color: self.color }
    }

    /// Draws these lines instead of those before.
    pub(crate) fn draw(&mut self, lines: Vec<String>) {
        if lines != self.drawn {
            // A terminal that went away is no error.
            let _gone = self.write(&lines);
            self.drawn = lines;
        }
    }

    /// Leaves nothing of it.
    pub(crate) fn wipe(&mut self) {
        self.draw(Vec::new());
    }

    /// Line by line: where a view that fills the screen is cleared at once, some
    /// terminals keep a copy of it in what can be scrolled back to.
    fn write(&self, lines: &[String]) -> std::io::Result<()> {
        let Size { columns, rows, .. } = self.size();
        // In a terminal that was made narrower, lines take more rows than they did.
        let taken = |line: &String| measure_text_width(line).div_ceil(columns.max(1)).max(1);
        let before = self.drawn.iter().map(taken).sum::<usize>().min(rows.saturating_sub(1));
        self.term.move_cursor_up(before)?;
        for line in lines {
            self.term.clear_line()?;
            self.term.write_line(line)?;
        }
        let left = before.saturating_sub(lines.len());
        for _ in 0..left {
            self.term.clear_line()?;
            self.term.move_cursor_down(1)?;
        }
        self.term.clear_line()?;
        self.term.move_cursor_up(left)?;
        self.term.flush()
    }
}

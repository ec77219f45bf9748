//! What a page says that a command prints, held against what it prints.

/// Lines of a page.
pub(super) struct Quotation {
    lines: Vec<String>,
    /// Figures may be others.
    measured: bool,
}

impl Quotation {
    pub(super) fn new<'a>(lines: impl Iterator<Item = &'a str>, measured: bool) -> Self {
        let quoted = lines.filter(|line| !line.trim().is_empty() && line.trim() != "…");
        Self { lines: quoted.map(str::to_owned).collect(), measured }
    }

    /// How many lines it has.
    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Asserts that each line is among those printed.
    pub(super) fn assert_printed(&self, page: &str, printed: &str) {
        if let Some(line) = self.first_missing(printed) {
            panic!("{page}: not printed: {line}\nbut:\n{printed}");
        }
    }

    /// The first line that is not among those printed.
    pub(super) fn first_missing(&self, printed: &str) -> Option<&str> {
        let is_missing = |line: &&String| {
            // Where a paragraph breaks depends on its figures.
            let is_within = self.measured && self.shape(printed).contains(&self.shape(line));
            !is_within && printed.lines().all(|printed| self.shape(printed) != self.shape(line))
        };
        self.lines.iter().find(is_missing).map(String::as_str)
    }

    fn shape(&self, line: &str) -> String {
        // How many processes there are is a figure.
        let line = if self.measured { line.replace("processes", "process") } else { line.to_owned() };
        let words = line.split_whitespace();
        if !self.measured {
            return words.collect::<Vec<_>>().join(" ");
        }
        let words: Vec<String> = words.map(without_figures).collect();
        // Which method is faster is a figure too; so is the unit of a time. Intervals may be missing.
        let marked = words.first().is_some_and(|word| ["*", "-", "+", "="].contains(&word.as_str()));
        let mut shape: Vec<&str> = Vec::new();
        for word in words.iter().skip(usize::from(marked)).map(String::as_str) {
            let is_figure = word.chars().all(|c| "#–-".contains(c));
            let is_unit = ["ns", "µs", "ms", "s"].contains(&word);
            let goes_on = is_figure && shape.last() == Some(&"#");
            if !is_unit && !goes_on {
                shape.push(if is_figure { "#" } else { word });
            }
        }
        shape.join(" ")
    }
}

/// The word with `#` for each number in it, approximate ones too.
fn without_figures(word: &str) -> String {
    let mut shape = String::new();
    for c in word.chars() {
        match c {
            // More of the number, its point or comma.
            '0'..='9' | '.' | ',' if shape.ends_with('#') => {}
            '0'..='9' => {
                let before = shape.trim_end_matches(['~', '<']).len();
                shape.truncate(before);
                shape.push('#');
            }
            _ => shape.push(c),
        }
    }
    shape
}

#[test]
fn figures_may_be_others_only_where_they_are_measured() {
    let printed = "  nothing\n+ native:fopen      849  835–889   1.210 1.203–1.221      2  17\n  calls 5\n";
    let quoted = |line: &'static str, measured| Quotation::new(line.lines(), measured);
    let fails = |quotation: Quotation| {
        std::panic::catch_unwind(|| quotation.assert_printed("page", printed)).is_err()
    };
    assert!(!fails(quoted("= native:fopen 85.1 835–889 1 1.203–1.2 2 8\n…\n", true)));
    assert!(fails(quoted("= native:fopen 85.1 835–889 1 1.203–1.2 2 8\n", false)));
    assert!(!fails(quoted("native:fopen 85.1 - 1 - 2 8\n", true)));
    assert!(fails(quoted("= native:open 85.1 835–889 1 1.203–1.2 2 8\n", true)));
    assert!(!fails(quoted("calls 5\n", false)));
    assert!(fails(quoted("calls 6\n", false)));
    assert_eq!(quoted("…\n\na\n", false).lines(), 1);
    assert_eq!(without_figures("~0.01,"), "#");
    assert_eq!(without_figures("1,334"), "#");
}

//! The README's sample is the text of a record that is kept, and no other.

use fathom_model::Record;
use fathom_report::{TextOptions, render_brief, render_text};

#[test]
fn the_readme_shows_the_kept_record_as_it_is_printed() {
    let readme = include_str!("../../../README.md");
    let sample = |name: &str| {
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let text = readme.split(&begin).nth(1).unwrap().split(&end).next().unwrap();
        text.lines().filter(|line| !line.starts_with("```")).collect::<Vec<&str>>()
    };
    let shown = sample("sample");
    let record: Record = serde_json::from_str(include_str!("../../../docs/samples/open-go.json")).unwrap();
    let text = render_text(&record, &TextOptions::default());
    let mut lines = text.lines();
    // Every line of the sample stands in the text, in the same order; `...` leaves some out.
    for line in shown.iter().filter(|line| !line.trim().is_empty() && line.trim() != "...") {
        assert!(lines.any(|printed| printed == *line), "not printed, or not in this order: {line}");
    }
    assert!(shown.len() > 15, "a whole table: {} lines", shown.len());
    let brief = render_brief(&record, &TextOptions::default());
    assert_eq!(sample("brief"), brief.lines().take(sample("brief").len()).collect::<Vec<_>>());
    let own = include_str!("../../../docs/samples/own-functions.json");
    let brief = render_brief(&serde_json::from_str(own).unwrap(), &TextOptions::default());
    let shown = sample("own");
    assert!(shown.len() > 8, "{shown:?}");
    let printed: Vec<_> = brief.lines().take(shown.len() - 1).collect();
    assert_eq!(shown[1..], printed, "below the command that prints it");
}

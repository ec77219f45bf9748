//! The stacks of a record as flame graphs: pictures in SVG, or folded text for
//! other tools. Names them after what was measured.

mod still;

pub(crate) use still::still;

use crate::label;
use crate::visible::visible_lines;
use fathom_model::{Comparison, ExperimentRecord, MethodId, Profile, Reading, Record};
use inferno::flamegraph::color::{MultiPalette, Palette};
use inferno::flamegraph::{Options, from_lines};
use std::collections::BTreeSet;

/// Columns of a title; more do not fit over the picture.
const TITLE_WIDTH: usize = 110;
/// In percent of the picture: a single sample's tower would make it high and tell nothing.
const WIDTH_MIN: f64 = 0.1;
/// Of a file's name, each part is cut to this.
const PART_LENGTH_MAX: usize = 60;

/// One variant with stacks.
#[derive(Debug, Clone)]
pub struct FlameGraph<'a> {
    /// The experiment.
    pub experiment: &'a str,
    /// The method.
    pub method: &'a MethodId,
    /// Its stacks.
    pub profile: &'a Profile,
    /// A file's name without an ending, different for each graph of a record.
    pub stem: String,
    title: String,
    subtitle: String,
}

/// The SVG could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no flame graph of {stem}: {problem}")]
pub struct DrawError {
    stem: String,
    problem: String,
}

/// The variants of a record that have stacks, in the order of the record.
pub fn flame_graphs(record: &Record) -> Vec<FlameGraph<'_>> {
    let mut taken = BTreeSet::new();
    let mut graphs = Vec::new();
    for experiment in &record.experiments {
        for comparison in &experiment.comparisons {
            let labels = label::labels(record, comparison);
            for (index, explanation) in comparison.explanations.iter().enumerate() {
                let Some(Reading::Value(profile)) = &explanation.profile else { continue };
                let graph =
                    graph(record, experiment, comparison, (index, &labels[index]), profile, &mut taken);
                graphs.push(graph);
            }
        }
    }
    graphs
}

/// What the variants without stacks say why, where stacks were asked for.
pub fn missing_stacks(record: &Record) -> BTreeSet<&str> {
    let comparisons = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
    let profiles = comparisons.flat_map(|comparison| &comparison.explanations);
    profiles
        .filter_map(|explanation| match &explanation.profile {
            Some(Reading::Unavailable(reason)) => Some(reason.as_str()),
            _ => None,
        })
        .collect()
}

impl FlameGraph<'_> {
    /// A line per stack: its frames, a blank, its samples.
    pub fn folded(&self) -> String {
        visible_lines(&folded(self.profile))
    }

    /// The picture, with a script of its own for zooming and searching.
    pub fn svg(&self) -> Result<String, DrawError> {
        let failed = |problem: String| DrawError { stem: self.stem.clone(), problem };
        let mut options = Options::default();
        self.title.clone_into(&mut options.title);
        options.subtitle = Some(self.subtitle.clone());
        // Kernel, run-time code and program in colors of their own, by the marks of the frames.
        options.colors = Palette::Multi(MultiPalette::Java);
        options.deterministic = true;
        options.min_width = WIDTH_MIN;
        let folded = self.folded();
        let mut svg = Vec::new();
        from_lines(&mut options, folded.lines(), &mut svg).map_err(|error| failed(error.to_string()))?;
        let svg = String::from_utf8(svg).map_err(|error| failed(error.to_string()))?;
        Ok(visible_lines(&svg))
    }
}

fn folded(profile: &Profile) -> String {
    let lines = profile.stacks.iter().map(|stack| format!("{} {}\n", stack.frames, stack.samples));
    lines.collect()
}

fn graph<'a>(
    record: &'a Record,
    experiment: &'a ExperimentRecord,
    comparison: &'a Comparison,
    (index, label): (usize, &str),
    profile: &'a Profile,
    taken: &mut BTreeSet<String>,
) -> FlameGraph<'a> {
    let method = &comparison.variants[index].method;
    // Of one method alone, a label is only what differs.
    let label =
        if label.contains(&method.to_string()) { label.to_owned() } else { format!("{method} {label}") };
    let label = label.trim();
    let parts = [experiment.name.as_str(), comparison.label.as_str(), label];
    let parts: Vec<_> = parts.into_iter().map(file_safe).filter(|part| !part.is_empty()).collect();
    let plain = parts.join("-");
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    let stem = names.find(|name| !taken.contains(name)).unwrap_or(plain);
    taken.insert(stem.clone());
    let lost = if profile.lost > 0 { format!(", {} lost", profile.lost) } else { String::new() };
    let date = record.created.split('T').next().unwrap_or_default();
    FlameGraph {
        experiment: &experiment.name,
        method,
        profile,
        stem,
        title: crate::wrap::elide(&format!("{}: {label}", experiment.name), TITLE_WIDTH),
        subtitle: crate::wrap::elide(
            &format!("{}; {} samples{lost}; {date}", label::title(comparison), profile.samples),
            TITLE_WIDTH,
        ),
    }
}

/// Letters, digits and `.`, `_`, `+`, `@` stay; all else becomes one `-`. Never
/// begins with a dot.
fn file_safe(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || "._+@".contains(c) {
            safe.push(c);
        } else if !safe.ends_with('-') {
            safe.push('-');
        }
    }
    let safe: String = safe.trim_start_matches(['.', '-']).chars().take(PART_LENGTH_MAX).collect();
    safe.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Explanation, FoldedStack};

    fn record() -> Record {
        let mut record = fathom_testkit::complete();
        let stack = |frames: &str, samples| FoldedStack { frames: frames.to_owned(), samples };
        let profile = Profile {
            frequency_hz: 1999,
            samples: 30,
            lost: 2,
            stacks: vec![stack("main;f<T>&;read_[k]", 20), stack("main;g", 10)],
            notes: Vec::new(),
        };
        let explanation = Explanation { profile: Some(Reading::Value(profile)), ..Explanation::default() };
        let comparison = &mut record.experiments[0].comparisons[0];
        comparison.explanations = vec![explanation; comparison.variants.len()];
        comparison.explanations[1].profile = Some(Reading::unavailable("refused"));
        record
    }

    #[test]
    fn one_graph_per_variant_with_stacks_and_names_of_their_own() {
        let mut record = record();
        let twin = record.experiments[0].comparisons[0].clone();
        record.experiments[0].comparisons.push(twin);
        let graphs = flame_graphs(&record);
        let variants = record.experiments[0].comparisons[0].variants.len();
        assert_eq!(graphs.len(), 2 * (variants - 1));
        let stems: BTreeSet<_> = graphs.iter().map(|graph| graph.stem.as_str()).collect();
        assert_eq!(stems.len(), graphs.len(), "{stems:?}");
        assert!(stems.iter().all(|stem| !stem.contains(['/', ' ', ':']) && !stem.starts_with('.')));
        assert_eq!(missing_stacks(&record), BTreeSet::from(["refused"]));
    }

    #[test]
    fn the_picture_names_the_method_the_samples_and_every_frame() {
        let record = record();
        let graph = &flame_graphs(&record)[0];
        let svg = graph.svg().unwrap();
        for words in ["<svg", "30 samples, 2 lost", "f&lt;T&gt;&amp;", "read", &graph.method.name] {
            assert!(svg.contains(words), "{words}");
        }
        let date = record.created.split('T').next().unwrap();
        assert!(svg.contains(date), "{date}");
        assert_eq!(svg, graph.svg().unwrap());
        assert_eq!(graph.folded(), "main;f<T>&;read_[k] 20\nmain;g 10\n");
    }

    #[test]
    fn a_stackless_profile_is_an_error_in_words() {
        let mut record = record();
        for explanation in &mut record.experiments[0].comparisons[0].explanations {
            if let Some(Reading::Value(profile)) = &mut explanation.profile {
                profile.stacks.clear();
            }
        }
        let error = flame_graphs(&record)[0].svg().unwrap_err().to_string();
        assert!(error.starts_with("no flame graph of "), "{error}");
    }

    #[test]
    fn names_are_safe_for_files() {
        assert_eq!(file_safe("../etc/passwd"), "etc-passwd");
        assert_eq!(file_safe("native:open, 4 KiB; x"), "native-open-4-KiB-x");
        assert_eq!(file_safe("java@25:Files.new"), "java@25-Files.new");
        assert_eq!(file_safe("/"), "");
    }
}

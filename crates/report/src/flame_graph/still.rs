//! A flame graph without scripts, styles or ids of its own, to stand among others in
//! one page: inferno lays it out, and what it drew is written again in short.

use super::{DrawError, folded};
use crate::text::profile::readable;
use crate::wrap::elide;
use fathom_model::Profile;
use inferno::flamegraph::{Options, from_lines};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::fmt::Write;

/// Pixels of the picture, before it is scaled to its page.
const WIDTH: usize = 760;
/// In percent of the picture; narrower frames are about two pixels.
const WIDTH_MIN: f64 = 0.25;
/// A picture of more bytes is drawn again without its narrow frames.
const BYTES_MAX: usize = 40_000;
const FONT_SIZE: usize = 11;
/// Columns of a name; those of generated code can be hundreds long.
const NAME_WIDTH: usize = 90;
/// Of a name that was cut to its frame, inferno's end.
const CUT: &str = "..";

/// Frames of one kind share a color: dark letters can be read on each, and each can
/// be told from a dark page and from a light one.
struct Kind {
    class: &'static str,
    fill: &'static str,
    /// How the names of its frames end.
    ending: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { class: "flame-kernel", fill: "rgb(233,150,104)", ending: " (kernel)" },
    Kind { class: "flame-run-time", fill: "rgb(236,214,140)", ending: " (compiled at run time)" },
    Kind { class: "flame-program", fill: "rgb(244,190,122)", ending: "" },
];

/// The picture as an SVG element; frames say on hover what they are. `name` is that of
/// what was sampled.
pub(crate) fn still(name: &str, profile: &Profile) -> Result<String, DrawError> {
    let failed = |problem: String| DrawError { stem: name.to_owned(), problem };
    let folded = folded(profile);
    let lines: Vec<_> = folded.lines().map(in_words).collect();
    let mut width_min = WIDTH_MIN;
    loop {
        let mut options = Options::default();
        options.image_width = Some(WIDTH);
        options.font_size = FONT_SIZE;
        options.min_width = width_min;
        options.deterministic = true;
        options.no_javascript = true;
        let mut drawn = Vec::new();
        from_lines(&mut options, lines.iter().map(String::as_str), &mut drawn)
            .map_err(|error| failed(error.to_string()))?;
        let drawn = String::from_utf8(drawn).map_err(|error| failed(error.to_string()))?;
        let frames = frames(&drawn).map_err(|error| failed(error.to_string()))?;
        let picture = picture(&frames);
        if picture.len() <= BYTES_MAX || frames.len() <= 2 {
            return Ok(picture);
        }
        width_min *= 1.5;
    }
}

/// A folded stack with the marks of its frames in words, as inferno drops marks.
fn in_words(line: &str) -> String {
    let (stack, samples) = line.rsplit_once(' ').unwrap_or((line, "0"));
    let frames: Vec<_> = stack.split(';').map(|frame| named(&readable(frame))).collect();
    format!("{} {samples}", frames.join(";"))
}

/// A name of bearable length, its kind's ending kept.
fn named(readable: &str) -> String {
    let kind = KINDS.iter().find(|kind| readable.ends_with(kind.ending));
    let ending = kind.map_or("", |kind| kind.ending);
    format!("{}{ending}", elide(readable.strip_suffix(ending).unwrap_or(readable), NAME_WIDTH))
}

/// A frame as inferno laid it, text escaped as it was.
#[derive(Debug, Default)]
struct Frame {
    title: String,
    /// As much of the name as fits.
    name: String,
    /// In percent of the picture.
    x: f64,
    width: f64,
    y: f64,
    height: f64,
}

impl Frame {
    /// What the frame is called, without its samples.
    fn function(&self) -> &str {
        self.title.rsplit_once(" (").map_or(&self.title, |(function, _)| function)
    }

    fn kind(&self) -> &'static Kind {
        let is_of = |kind: &&Kind| self.function().ends_with(kind.ending);
        KINDS.iter().find(is_of).unwrap_or(&KINDS[KINDS.len() - 1])
    }

    /// The name without the words of its kind, which its color says.
    fn label(&self) -> String {
        let ending = self.kind().ending;
        let whole = self.name.trim_end_matches(CUT);
        let cut = whole.len() < self.name.len();
        let said = (0..=ending.len()).rev().filter(|&end| ending.is_char_boundary(end));
        let said = said.map(|end| &ending[..end]).find(|said| !said.is_empty() && whole.ends_with(said));
        match said {
            Some(said) if cut || said == ending => whole.trim_end_matches(said).to_owned(),
            _ => self.name.clone(),
        }
    }
}

/// The frames in inferno's picture.
fn frames(drawn: &str) -> Result<Vec<Frame>, quick_xml::Error> {
    let mut reader = Reader::from_str(drawn);
    let (mut frames, mut frame, mut text) = (Vec::new(), Frame::default(), String::new());
    let mut is_inside = false;
    loop {
        match reader.read_event()? {
            Event::Start(element) if element.name().as_ref() == b"svg" => {
                is_inside = attribute(&element, "id").as_deref() == Some("frames");
            }
            Event::Start(_) => text.clear(),
            Event::Empty(element) if is_inside && element.name().as_ref() == b"rect" => {
                let number = |name| attribute(&element, name)?.trim_end_matches('%').parse().ok();
                frame.x = number("x").unwrap_or(0.0);
                frame.y = number("y").unwrap_or(0.0);
                frame.width = number("width").unwrap_or(0.0);
                frame.height = number("height").unwrap_or(0.0);
            }
            Event::Text(words) => text.push_str(&String::from_utf8_lossy(&words)),
            Event::GeneralRef(name) => {
                let _ = write!(text, "&{};", String::from_utf8_lossy(&name));
            }
            Event::End(element) if is_inside => match element.name().as_ref() {
                b"title" => frame.title = std::mem::take(&mut text),
                b"text" => frame.name = std::mem::take(&mut text),
                b"g" => frames.push(std::mem::take(&mut frame)),
                _ => {}
            },
            Event::Eof => return Ok(frames),
            _ => {}
        }
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    Some(String::from_utf8_lossy(&attribute.value).into_owned())
}

fn picture(frames: &[Frame]) -> String {
    let top = frames.iter().map(|frame| frame.y).fold(f64::INFINITY, f64::min);
    let bottom = frames.iter().map(|frame| frame.y + frame.height).fold(0.0, f64::max);
    let height = (bottom - top).max(0.0);
    let px = |percent: f64| short(percent / 100.0 * WIDTH as f64);
    let rect = |frame: &Frame| {
        let Frame { title, x, width, y, height, .. } = frame;
        format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{title}</title></rect>",
            px(*x),
            short(y - top),
            px(*width),
            short(*height),
        )
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" viewBox=\"0 0 {WIDTH} {0}\" width=\"{WIDTH}\" \
         height=\"{0}\">",
        short(height)
    );
    for kind in &KINDS {
        let rects: String =
            frames.iter().filter(|frame| frame.kind().class == kind.class).map(rect).collect();
        if !rects.is_empty() {
            let Kind { class, fill, .. } = kind;
            let stroke = "stroke=\"rgb(90,60,40)\" stroke-opacity=\".4\" stroke-width=\".5\"";
            let _ = write!(svg, "<g class=\"{class}\" fill=\"{fill}\" {stroke}>{rects}</g>");
        }
    }
    let _ = write!(
        svg,
        "<g class=\"flame-names\" fill=\"rgb(28,20,14)\" font-size=\"{FONT_SIZE}\" \
         font-family=\"ui-monospace,monospace\" pointer-events=\"none\">"
    );
    for frame in frames {
        let label = frame.label();
        if !label.is_empty() {
            let x = short(frame.x / 100.0 * WIDTH as f64 + 3.0);
            let y = short(frame.y - top + frame.height / 2.0 + 3.5);
            let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\">{label}</text>");
        }
    }
    svg.push_str("</g></svg>");
    svg
}

/// One decimal at most.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::FoldedStack;

    fn profile(stacks: &[(&str, u64)]) -> Profile {
        let stack = |&(frames, samples): &(&str, u64)| FoldedStack { frames: frames.to_owned(), samples };
        let samples = stacks.iter().map(|(_, samples)| samples).sum();
        let stacks = stacks.iter().map(stack).collect();
        Profile { frequency_hz: 997, samples, lost: 0, stacks, notes: Vec::new() }
    }

    #[test]
    fn every_frame_has_its_title_and_nothing_runs_or_reaches_out() {
        let svg = still("m", &profile(&[("main;f<T>&;read_[k]", 20), ("main;Foo.bar()_[j]", 10)])).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"), "{svg}");
        let titles = [
            "read (kernel) (20 samples, 66.67%)",
            "f&lt;T&gt;&amp; (20 samples, 66.67%)",
            "all (30 samples, 100%)",
        ];
        for title in titles {
            assert!(svg.contains(&format!("<title>{title}</title>")), "{title}: {svg}");
        }
        for absent in ["<script", "<style", " id=", "onload", "href", "Search", "Reset Zoom", "%\"", "NaN"] {
            assert!(!svg.contains(absent), "{absent}: {svg}");
        }
        let within = |class: &str, words: &str| {
            let from = svg.find(&format!("class=\"{class}\"")).unwrap();
            svg[from..from + svg[from..].find("</g>").unwrap()].contains(words)
        };
        assert!(within("flame-kernel", "read (kernel)") && !within("flame-kernel", "f&lt;"));
        assert!(within("flame-run-time", "Foo.bar()") && within("flame-program", "main"));
        assert!(within("flame-names", ">read</text>") && within("flame-names", ">f&lt;T&gt;&amp;</text>"));
    }

    #[test]
    fn a_name_that_only_lost_the_words_of_its_kind_is_whole() {
        let label = |name: &str| {
            let title = "do_syscall_64 (kernel) (9 samples, 1%)".to_owned();
            Frame { title, name: name.to_owned(), ..Frame::default() }.label()
        };
        for shown in ["do_syscall_64 (kernel)", "do_syscall_64 (ker..", "do_syscall_64 .."] {
            assert_eq!(label(shown), "do_syscall_64", "{shown}");
        }
        assert_eq!(label("do_sysc.."), "do_sysc..");
    }

    #[test]
    fn widths_are_shares_of_the_picture() {
        let svg = still("m", &profile(&[("a;b", 30), ("a;c", 10)])).unwrap();
        assert!(svg.contains("width=\"570\"") && svg.contains("width=\"190\""), "{svg}");
    }

    #[test]
    fn a_large_profile_is_cut_to_size_and_none_is_an_error() {
        let stacks: Vec<_> = (0..300)
            .map(|n| {
                (format!("main;outer{};{}", n % 7, "a_function_with_a_name".repeat(4) + &n.to_string()), 10)
            })
            .collect();
        let stacks: Vec<_> = stacks.iter().map(|(frames, samples)| (frames.as_str(), *samples)).collect();
        let svg = still("m", &profile(&stacks)).unwrap();
        assert!(svg.len() <= BYTES_MAX, "{}", svg.len());
        assert!(svg.contains("outer3"));
        assert!(still("m", &profile(&[])).unwrap_err().to_string().starts_with("no flame graph of m"));
    }
}

//! Fits a flame graph, which is an SVG element already, into a page: a name for
//! those who do not see it, ids that no other picture has, nothing that runs.

use super::sheet::escaped;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::fmt::Write;

/// What may be in a picture of ours; with all else, what is inside goes too.
const DROPPED: [&[u8]; 3] = [b"script", b"foreignObject", b"style"];
/// What the root element gets from us, or must not have inside of a page.
const REPLACED: [&[u8]; 5] = [b"class", b"role", b"aria-label", b"xmlns", b"id"];

/// The element, or nothing where it is none.
pub(super) fn fit(svg: &str, id: &str, description: &str) -> Option<String> {
    let mut reader = Reader::from_str(svg);
    let mut fitted = String::with_capacity(svg.len());
    // Elements that are open: none but comments and the like may stand outside.
    let mut depth = 0_usize;
    let mut dropped_from = None;
    loop {
        let is_dropped = dropped_from.is_some();
        match reader.read_event().ok()? {
            Event::Start(element) => {
                if dropped_from.is_none() && DROPPED.contains(&element.local_name().as_ref()) {
                    dropped_from = Some(depth);
                } else if !is_dropped {
                    open(&mut fitted, &element, (depth == 0).then_some(description), id)?;
                    fitted.push('>');
                }
                depth += 1;
            }
            Event::Empty(element) if !is_dropped && !DROPPED.contains(&element.local_name().as_ref()) => {
                open(&mut fitted, &element, (depth == 0).then_some(description), id)?;
                fitted.push_str("/>");
            }
            Event::End(element) => {
                depth = depth.checked_sub(1)?;
                if dropped_from == Some(depth) {
                    dropped_from = None;
                } else if !is_dropped {
                    let _ = write!(fitted, "</{}>", std::str::from_utf8(element.name().as_ref()).ok()?);
                }
            }
            Event::Text(text) if !is_dropped && depth > 0 => {
                fitted.push_str(std::str::from_utf8(&text).ok()?);
            }
            Event::GeneralRef(name) if !is_dropped && depth > 0 => {
                let _ = write!(fitted, "&{};", std::str::from_utf8(&name).ok()?);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    (depth == 0 && fitted.starts_with("<svg")).then_some(fitted)
}

/// An opening tag without its end.
fn open(fitted: &mut String, element: &BytesStart<'_>, root: Option<&str>, id: &str) -> Option<()> {
    let _ = write!(fitted, "<{}", std::str::from_utf8(element.name().as_ref()).ok()?);
    if let Some(description) = root {
        let _ = write!(fitted, r#" class="chart flame" role="img" aria-label="{}""#, escaped(description));
    }
    for attribute in element.attributes() {
        let attribute = attribute.ok()?;
        let key = attribute.key.as_ref();
        let runs = key.starts_with(b"on");
        if runs || (root.is_some() && REPLACED.contains(&key)) {
            continue;
        }
        let value = std::str::from_utf8(&attribute.value).ok()?;
        let Some(value) = own(key, value, id) else { continue };
        // Whatever it was quoted by before.
        let value = value.replace('"', "&quot;");
        let _ = write!(fitted, r#" {}="{value}""#, std::str::from_utf8(key).ok()?);
    }
    Some(())
}

/// The value with ids of this picture alone; none where it reaches out of the page.
fn own(key: &[u8], value: &str, id: &str) -> Option<String> {
    let is_link = key == b"href" || key.ends_with(b":href") || key == b"src";
    match value.strip_prefix('#') {
        Some(name) if is_link => Some(format!("#{id}-{name}")),
        None if is_link => None,
        _ if key == b"id" => Some(format!("{id}-{value}")),
        _ => Some(value.replace("url(#", &format!("url(#{id}-"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_the_pictures_own_and_nothing_runs_or_reaches_out() {
        let svg = "<?xml version=\"1.0\"?><!DOCTYPE svg><!-- c --><svg xmlns=\"http://x\" id='f' class=\"a\" \
                   viewBox=\"0 0 9 9\" onload=\"init()\"><defs><linearGradient id=\"bg\"/></defs><style>a{}</style>\
                   <script><![CDATA[alert(1)]]></script><g onclick='x()'><title>a &lt; b &amp; c</title>\
                   <rect fill=\"url(#bg)\"/><use href=\"#bg\"/><image href=\"http://x/y.png\"/></g></svg>";
        let fitted = fit(svg, "f1", "stacks of \"x\"").unwrap();
        assert_eq!(
            fitted,
            "<svg class=\"chart flame\" role=\"img\" aria-label=\"stacks of &quot;x&quot;\" viewBox=\"0 0 9 9\">\
             <defs><linearGradient id=\"f1-bg\"/></defs><g><title>a &lt; b &amp; c</title>\
             <rect fill=\"url(#f1-bg)\"/><use href=\"#f1-bg\"/><image/></g></svg>"
        );
    }

    #[test]
    fn what_is_no_picture_is_none() {
        for text in ["", "words", "<p>words</p>", "<svg><g></svg>", "<svg>", "</svg>"] {
            assert_eq!(fit(text, "f", "d"), None, "{text}");
        }
    }
}

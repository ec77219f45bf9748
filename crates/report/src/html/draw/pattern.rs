//! What the parts of a time look like besides their color: each kind has a
//! pattern of its own, which stays when colors are lost.

use super::canvas::Canvas;
use crate::chart::SegmentKind;

/// The class of a kind.
pub(super) fn class(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Call => "part-call",
        SegmentKind::Fault => "part-fault",
        SegmentKind::Device => "part-device",
        SegmentKind::RunQueue => "part-queue",
        SegmentKind::Loop => "part-loop",
        SegmentKind::Runtime => "part-runtime",
    }
}

/// The id of a kind's pattern in this picture; empty for what is plain.
pub(super) fn fill(id: &str, kind: SegmentKind) -> String {
    if tile(kind).is_some() { format!("{id}-{}", class(kind)) } else { String::new() }
}

/// Makes the patterns of these kinds known to the picture.
pub(super) fn draw_patterns(canvas: &Canvas, id: &str, kinds: &[SegmentKind]) {
    let patterns = kinds.iter().filter_map(|&kind| {
        let (size, drawing) = tile(kind)?;
        let (fill, class) = (fill(id, kind), class(kind));
        Some(format!(
            r#"<pattern id="{fill}" class="{class}" width="{size}" height="{size}" patternUnits="userSpaceOnUse"><path class="c-ground" d="M0 0h{size}v{size}h-{size}z"/><path class="c-pattern" d="{drawing}"/></pattern>"#
        ))
    });
    let patterns: String = patterns.collect();
    if !patterns.is_empty() {
        canvas.raw(&format!("<defs>{patterns}</defs>"));
    }
}

/// The size of a tile and the lines on it, which meet those of the next one.
fn tile(kind: SegmentKind) -> Option<(u8, &'static str)> {
    match kind {
        // Plain, and plain with a border.
        SegmentKind::Call | SegmentKind::Loop => None,
        SegmentKind::Fault => Some((6, "M-1 7l8-8M-1 1l2-2M5 7l2-2")),
        SegmentKind::Device => Some((6, "M2 3h2M-1 0h2M5 0h2M-1 6h2M5 6h2")),
        SegmentKind::RunQueue => Some((5, "M2.5 0v5")),
        SegmentKind::Runtime => Some((6, "M-1-1l8 8M-1 5l2 2M5-1l2 2")),
    }
}

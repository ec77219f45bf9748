//! A picture with its caption: for wide screens, and for a phone where it has a form
//! for that. Others scroll in a container of their own.

use super::draw::{draw, draw_narrow};
use super::prose::prose;
use crate::document::Figure;
use maud::{Markup, PreEscaped, html};

/// A picture.
pub(super) fn figure(picture: &Figure) -> Markup {
    let drawing = draw(&picture.chart, &picture.id, &picture.description);
    let narrow = draw_narrow(&picture.chart, &picture.id);
    html! {
        figure id=(picture.id) {
            figcaption { (prose(&picture.caption)) }
            div.scroll.drawing.has-narrow[narrow.is_some()] tabindex="0" {
                (PreEscaped(drawing))
                @if let Some(narrow) = narrow { (PreEscaped(narrow)) }
            }
        }
    }
}

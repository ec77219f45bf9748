//! A picture with its caption, in a container of its own that scrolls where the
//! screen is narrower than the picture.

use super::draw::draw;
use super::prose::prose;
use crate::document::Figure;
use maud::{Markup, PreEscaped, html};

/// A picture.
pub(super) fn figure(picture: &Figure) -> Markup {
    let drawing = draw(&picture.chart, &picture.id, &picture.description);
    html! {
        figure id=(picture.id) {
            figcaption { (prose(&picture.caption)) }
            div.scroll.drawing tabindex="0" role="group" aria-label=(picture.caption.text()) {
                (PreEscaped(drawing))
            }
        }
    }
}

//! Charts as SVG elements for an HTML page: no script, no color of their own
//! (`chart.css` has them, for dark and for light), no font. Words on what is
//! pointed at are titles, which need no script either.

mod apart;
mod axis;
mod canvas;
mod coordinate;
mod figures;
mod flame;
mod ink;
mod intervals;
mod legend;
mod line;
mod line_names;
mod lines;
mod marker;
mod measure;
mod path;
mod pattern;
mod rows;
mod rules;
mod scatter;
mod screen;
mod sheet;
mod stacks;
mod thin;
mod tick;
mod timeline;

use crate::chart::Chart;
use canvas::Canvas;
use ink::Ink;
use plotters_backend::text_anchor::HPos;
use screen::Screen;

/// One `<svg>` element. `id` is unique in the page and begins every id inside;
/// `description` is for those who do not see the picture.
pub(crate) fn draw(chart: &Chart, id: &str, description: &str) -> String {
    let drawn = match chart {
        Chart::Flame(svg) => flame::fit(svg, id, description),
        chart => of_screen(chart, Screen::Wide, id, description),
    };
    drawn.unwrap_or_else(|| {
        let canvas = Canvas::new(Screen::Wide, 40.0);
        canvas.text(Ink::Note, HPos::Left, (0.0, 20.0), "nothing to draw");
        canvas.finish("nothing", id, description)
    })
}

/// The same for a phone, where the picture has such a form. Its name is that of the
/// element that `draw` made of it with this id.
pub(crate) fn draw_narrow(chart: &Chart, id: &str) -> Option<String> {
    of_screen(chart, Screen::Narrow, id, "")
}

fn of_screen(chart: &Chart, screen: Screen, id: &str, description: &str) -> Option<String> {
    match chart {
        Chart::Intervals(chart) => intervals::draw(chart, screen, id, description),
        Chart::Stacks(chart) => stacks::draw(chart, screen, id, description),
        Chart::Lines(chart) => lines::draw(chart, screen, id, description),
        Chart::Scatter(chart) => scatter::draw(chart, screen, id, description),
        Chart::Timeline(chart) => timeline::draw(chart, screen, id, description),
        Chart::Flame(_) => None,
    }
}

#[cfg(test)]
mod tests;

//! `template`: render the page, which the program carries inside or reads each time.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::methods::{Method, not_here, per_path};
use super::open_close::as_path;
use super::sink::Sink;
use std::ffi::CStr;

const PAGE: &str = include_str!("page.template");

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "include_str" => per_path(plan, |_, sink| {
            sink.take(render(PAGE).as_bytes());
            Ok(())
        }),
        "std::fs::read_to_string" => per_path(plan, read_to_string),
        _ => return Err(not_here(name)),
    })
}

fn read_to_string(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let page = std::fs::read_to_string(as_path(path))
        .map_err(|error| Failure::of("std::fs::read_to_string", &error))?;
    sink.take(render(&page).as_bytes());
    Ok(())
}

fn render(page: &str) -> String {
    page.replace("{{.Name}}", "fathom").replace("{{.Number}}", "42")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_carried_inside_is_the_one_that_all_drivers_share() {
        assert_eq!(PAGE, include_str!("../../page.template"));
    }

    #[test]
    fn every_place_is_filled_and_nothing_else_is_changed() {
        assert_eq!(render("{{.Name}} {{.Number}} {{.Name}}{{.Other}}"), "fathom 42 fathom{{.Other}}");
        assert!(!render(PAGE).contains("{{"));
    }
}

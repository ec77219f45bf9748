//! The calls of one operation as a strip of named steps, those that may be done
//! without marked by a word.

use super::prose::{breakable, prose};
use super::table::swatch;
use crate::document::{Recipes, Step, Strip, Waste};
use maud::{Markup, html};

/// The strips below each other, under one caption.
pub(super) fn recipes(recipes: &Recipes) -> Markup {
    html! {
        figure.recipes {
            figcaption { (prose(&recipes.caption)) }
            @for part in &recipes.strips {
                (strip(part))
            }
        }
    }
}

fn strip(strip: &Strip) -> Markup {
    let languages: Vec<_> =
        strip.methods.iter().filter_map(|(_, style)| style.map(|style| style.hue.word())).collect();
    html! {
        div.strip data-langs=[(!languages.is_empty()).then(|| languages.join(" "))] {
            p.methods {
                @for (name, style) in &strip.methods {
                    span.method data-lang=[style.map(|style| style.hue.word())] {
                        @if let Some(style) = style { (swatch(*style)) }
                        code { (breakable(name)) }
                    }
                    " "
                }
                span.calls { (strip.calls) }
            }
            ol.steps {
                @for call in &strip.steps { (step(call)) }
            }
        }
    }
}

fn step(step: &Step) -> Markup {
    let waste = step.waste.map(waste_word);
    html! {
        // The first name is the call's, the second its arguments.
        li class=[waste.map(|_| "wasted")] title=[some(&step.hint)] {
            code { (step.call) }
            @if !step.arguments.is_empty() {
                " "
                code { (step.arguments) }
            }
            @if step.times > 1 {
                " "
                span.times { "×" (step.times) }
            }
            @if let Some(word) = waste {
                " "
                span.waste { (word) }
            }
        }
    }
}

fn waste_word(waste: Waste) -> &'static str {
    match waste {
        Waste::Fails => "fails",
        Waste::Extra => "extra",
    }
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waste_is_said_in_words() {
        let call = |waste, times| Step {
            call: "fcntl".to_owned(),
            arguments: "F_GETFL".to_owned(),
            times,
            waste,
            hint: "fcntl(3, F_GETFL)".to_owned(),
        };
        let plain = step(&call(None, 1)).into_string();
        let code = "<code>fcntl</code> <code>F_GETFL</code>";
        assert_eq!(plain, format!("<li title=\"fcntl(3, F_GETFL)\">{code}</li>"));
        let failing = step(&call(Some(Waste::Fails), 2)).into_string();
        assert!(failing.contains("class=\"wasted\""));
        assert!(failing.contains("<span class=\"times\">×2</span> <span class=\"waste\">fails</span>"));
        assert!(
            step(&call(Some(Waste::Extra), 1)).into_string().contains("<span class=\"waste\">extra</span>")
        );
    }
}

//! The calls of one operation by each method, as strips: methods that make the same
//! ones together, the fastest first, what may be done without marked.

use super::arguments::shortened;
use super::call_kinds::finds_nothing;
use super::sentences::sentences;
use super::waste::{Lean, leanest, wastes};
use crate::document::context::Context;
use crate::document::{Block, Prose, Recipes, Step, Strip, Waste};
use crate::options::Details;
use crate::quantity::{number, per_operation, short_time};
use crate::standing::{by_time, pass};
use crate::text::breakdown::breakdown;
use crate::text::calls::{counted, how, total, uncounted};
use crate::text::recipe::{Run, runs};
use fathom_model::{Comparison, CountPass, PartKind, PriceList, Setting};
use fathom_stats::{Quote, quote_recipe};

/// More steps than this are read for their beginning and their end.
const STEPS_MAX: usize = 30;
const BEGINNING: usize = 22;
const END: usize = 6;

/// The strips, and which methods were not counted.
pub(super) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let methods: Vec<_> = by_time(comparison)
        .into_iter()
        .filter_map(|index| Some(Method::of(context, comparison, labels, (index, pass(comparison, index)?))))
        .collect();
    let mut strips: Vec<(&Method<'_>, Strip)> = Vec::new();
    for method in &methods {
        let style = context.palette.style(Context::method(comparison, method.index));
        let name = (labels[method.index].clone(), Some(style));
        match strips.iter_mut().find(|(known, _)| known.makes_the_calls_of(method)) {
            Some((_, strip)) => strip.methods.push(name),
            None => strips.push((method, method.strip(name))),
        }
    }
    let mut blocks = Vec::new();
    if !strips.is_empty() {
        let caption = caption(context, comparison, labels, &methods);
        let strips = strips.into_iter().map(|(_, strip)| strip).collect();
        blocks.push(Block::Recipes(Recipes { caption, strips }));
    }
    blocks.extend(sentences(context, Details::Brief, |page| uncounted(page, comparison, labels)));
    blocks
}

/// One method's calls.
struct Method<'a> {
    index: usize,
    pass: &'a CountPass,
    lean: Option<Lean<'a>>,
    /// How often by name.
    total: String,
    runs: Vec<Run>,
    wastes: Vec<Option<Waste>>,
    /// What each step costs, in words; empty where it is not known.
    prices: Vec<String>,
    lean_label: String,
}

impl<'a> Method<'a> {
    fn of(
        context: &Context<'_>,
        comparison: &'a Comparison,
        labels: &[String],
        (index, pass): (usize, &'a CountPass),
    ) -> Self {
        let lean = leanest(comparison, index);
        let wastes = wastes(&comparison.variants[index], pass, lean.as_ref());
        let prices = prices(context, comparison, index, pass);
        let runs = runs(pass, |step| wastes[step]);
        let lean_label = lean.map(|lean| labels[lean.index].clone()).unwrap_or_default();
        Self { index, pass, lean, total: total(pass), runs, wastes, prices, lean_label }
    }

    fn makes_the_calls_of(&self, other: &Self) -> bool {
        let texts = |method: &Self| method.runs.iter().map(Run::text).collect::<Vec<_>>();
        let wastes =
            |method: &Self| method.runs.iter().map(|run| method.wastes[run.from]).collect::<Vec<_>>();
        self.total == other.total && texts(self) == texts(other) && wastes(self) == wastes(other)
    }

    fn strip(&self, name: (String, Option<crate::palette::SeriesStyle>)) -> Strip {
        let mut steps: Vec<_> = self.runs.iter().map(|run| self.step(run)).collect();
        if steps.len() > STEPS_MAX {
            let left_out = steps.len() - BEGINNING - END;
            let words = format!("{left_out} steps more");
            let gap =
                Step { call: "…".into(), arguments: words.clone(), times: 1, waste: None, hint: words };
            steps.splice(BEGINNING..BEGINNING + left_out, [gap]);
        }
        let calls = per_operation(self.pass.calls_per_operation(), self.pass.is_exact());
        let noun = if calls == "1" { "call" } else { "calls" };
        Strip { methods: vec![name], calls: format!("{calls} {noun}"), steps }
    }

    fn step(&self, run: &Run) -> Step {
        let step = &self.pass.recipe[run.from];
        let waste = self.wastes[run.from];
        let each = if run.times > 1 { "each " } else { "" };
        let price = match self.prices[run.from].as_str() {
            "" => String::new(),
            price => format!(": {each}{price}"),
        };
        let why = match (waste, &self.lean) {
            (Some(Waste::Fails), _) => "; it fails, and the operation succeeds all the same".to_owned(),
            (Some(Waste::Extra), Some(lean)) => {
                let made = lean.makes(step);
                let whole = (made - made.round()).abs() < 1e-9;
                let made =
                    if made < 1e-9 { "none".to_owned() } else { number(made, if whole { 0 } else { 2 }) };
                let kind = if finds_nothing(step) { " (a stat, or a read of nothing)" } else { "" };
                format!("; extra: {} makes {made} of its kind{kind}", self.lean_label)
            }
            _ => String::new(),
        };
        Step {
            call: step.call.clone(),
            arguments: shortened(step),
            times: run.times,
            waste,
            hint: format!("{}{price}{why}", run.text()),
        }
    }
}

fn caption(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    methods: &[Method<'_>],
) -> Prose {
    let counted = counted(comparison, labels);
    let mut text = "The system calls of one operation, in order".to_owned();
    if let Some(how) = how(&counted.iter().collect::<Vec<_>>()) {
        text = format!("{text} ({how})");
    }
    let has = |waste| methods.iter().any(|method| method.wastes.contains(&Some(waste)));
    if has(Waste::Fails) {
        text.push_str("; fails: the operation succeeds all the same");
    }
    if has(Waste::Extra) {
        let mut lean: Vec<_> = methods
            .iter()
            .map(|method| method.lean_label.as_str())
            .filter(|label| !label.is_empty())
            .collect();
        lean.sort_unstable();
        lean.dedup();
        let whose = if lean.len() == 1 { lean[0] } else { "the leanest method of the same kind" };
        text = format!("{text}; extra: not made by {whose} in this operation on this file");
    }
    context.prose(&text)
}

/// What each step costs: by the condition that the recipe shows, or, where its path
/// is not known any more, as the breakdown has it.
fn prices(context: &Context<'_>, comparison: &Comparison, index: usize, pass: &CountPass) -> Vec<String> {
    let variant = &comparison.variants[index];
    let place = context.record.places.get(variant.place).map(|facts| &facts.place);
    let list = context.record.prices.iter().find(|list| Some(&list.place.place) == place);
    let Some(list) = list else { return vec![String::new(); pass.recipe.len()] };
    let depth = variant.parameters.settings.number(Setting::PathDepth);
    let depth = u32::try_from(depth).ok().filter(|&depth| depth > 0);
    let quotes = quote_recipe(&list.prices, pass, variant, depth);
    let price = |(step, quote): (usize, Option<Quote<'_>>)| {
        let step = &pass.recipe[step];
        let name = if step.failed { format!("{}={}", step.call, step.result) } else { step.call.clone() };
        let used = || {
            let parts = &breakdown(comparison, index)?.parts;
            parts.iter().find(|part| part.kind == PartKind::Call && part.name == name)?.price_ns
        };
        quote.map(|quote| quote.wall_ns.value).or_else(used)
    };
    let words = |price_ns: f64| format!("about {} here ({})", short_time(price_ns), dated(list));
    let known = quotes.into_iter().enumerate().map(price);
    known.map(|price_ns| price_ns.filter(|ns| ns.is_finite()).map(words).unwrap_or_default()).collect()
}

/// `price list of 2026-11-19`.
fn dated(list: &PriceList) -> String {
    format!("price list of {}", list.created.split('T').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::{Reading, Record};
    use fathom_testkit::{call, complete, count_pass, explained, step};

    fn recipes(record: &Record, experiment: usize) -> Recipes {
        let palette = Palette::of(&[record]);
        let context = Context::of(record, &palette, "r");
        let comparison = &record.experiments[experiment].comparisons[0];
        let blocks = blocks(&context, comparison, &labels(record, comparison));
        let Some(Block::Recipes(recipes)) = blocks.into_iter().next() else { panic!("no recipes") };
        recipes
    }

    fn strip<'a>(recipes: &'a Recipes, method: &str) -> &'a Strip {
        recipes.strips.iter().find(|strip| strip.methods.iter().any(|(name, _)| name == method)).unwrap()
    }

    #[test]
    fn methods_that_make_the_same_calls_share_a_strip() {
        let recipes = recipes(&complete(), 0);
        let names: Vec<_> =
            strip(&recipes, "go:os.Open").methods.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["go:os.Open", "go:os.OpenFile-O_DIRECT"]);
        let total: usize = recipes.strips.iter().map(|strip| strip.methods.len()).sum();
        assert_eq!(total, 5);
        assert!(recipes.strips.len() < total, "{recipes:?}");
        assert_eq!(strip(&recipes, "go:os.Open").calls, "7 calls");
    }

    #[test]
    fn a_step_has_its_price_and_why_it_is_waste() {
        let recipes = recipes(&explained(), 0);
        let steps = &strip(&recipes, "go:os.Open").steps;
        let hints: Vec<_> = steps.iter().map(|step| step.hint.as_str()).collect();
        assert!(hints[0].ends_with("): about 1008 ns here (price list of 2026-11-19)"), "{hints:?}");
        assert!(hints[1].starts_with("fcntl(7, F_GETFL): about "), "{hints:?}");
        assert!(hints[1].ends_with("; extra: go:unix.Open makes none of its kind"), "{hints:?}");
        assert!(hints[3].contains("epoll_ctl(4, EPOLL_CTL_ADD, 7) = EPERM (fails)"), "{hints:?}");
        assert!(hints[3].ends_with("; it fails, and the operation succeeds all the same"), "{hints:?}");
        let flagged: Vec<_> = steps.iter().map(|step| step.waste.is_some()).collect();
        assert_eq!(flagged, [false, true, true, true, true, true, false]);
    }

    #[test]
    fn without_a_price_list_nothing_is_priced() {
        let recipes = recipes(&complete(), 0);
        assert!(
            recipes.strips.iter().flat_map(|strip| &strip.steps).all(|step| !step.hint.contains("about"))
        );
    }

    #[test]
    fn equal_calls_stand_once_and_long_recipes_are_cut() {
        let recipes = recipes(&explained(), 2);
        let steps = &strip(&recipes, "go:io.Copy").steps;
        let told: Vec<_> = steps.iter().map(|step| (step.call.as_str(), step.times)).collect();
        assert_eq!(told, [("openat", 1), ("read", 16), ("read", 1), ("close", 1)]);
        let mut record = complete();
        let many: Vec<_> =
            (0..200).map(|n| step(if n % 2 == 0 { "read" } else { "lseek" }, "9", "9")).collect();
        let pass = count_pass(vec![call("read", 100), call("lseek", 100)], many, vec![]);
        record.experiments[0].comparisons[0].counts.fill(Reading::Value(pass));
        let recipes = self::recipes(&record, 0);
        assert_eq!(recipes.strips.len(), 1);
        let steps = &recipes.strips[0].steps;
        assert_eq!(steps.len(), BEGINNING + 1 + END);
        assert_eq!(steps[BEGINNING].arguments, "172 steps more");
    }
}

//! Plans of two builds of a driver: each method of it beside itself, nothing else.

use super::{Goal, Plan, PlannedComparison};
use crate::size::format_size;
use crate::words::Word;
use fathom_model::{MethodId, Setting, Variant};

/// Every variant of `driver` (or of a toolchain of it) in `plan`, once under each of the two
/// `builds`: a comparison of its own for each, the first build its baseline. What the plan
/// would have measured beside times and calls is left out.
#[must_use]
pub fn pair_builds(plan: Plan, driver: &str, builds: [&str; 2]) -> Plan {
    let is_of = |variant: &Variant| variant.method.driver.split('@').next() == Some(driver);
    let mut comparisons: Vec<PlannedComparison> = Vec::new();
    for comparison in &plan.comparisons {
        for variant in comparison.variants.iter().filter(|variant| is_of(variant)) {
            let pair = builds.map(|build| Variant {
                method: MethodId::new(build, &variant.method.name),
                ..variant.clone()
            });
            // A method named twice, or with several toolchains, is one pair.
            if comparisons.iter().any(|earlier| earlier.variants == pair) {
                continue;
            }
            comparisons.push(PlannedComparison {
                label: label(&plan, comparison, variant),
                variants: pair.to_vec(),
                baseline: 0,
                differing_parameters: Vec::new(),
                explain: Vec::new(),
                goal: Goal::Precision,
            });
        }
    }
    Plan {
        comparisons,
        ceilings: Vec::new(),
        reported: Vec::new(),
        claims: Vec::new(),
        unmeasured: plan.unmeasured.iter().filter(|item| item.method.driver == driver).cloned().collect(),
        ..plan
    }
}

/// The method, what the comparison was called, and what set the variant apart in it.
fn label(plan: &Plan, comparison: &PlannedComparison, variant: &Variant) -> String {
    let parameters = &variant.parameters;
    let apart = comparison.differing_parameters.iter().map(|parameter| match parameter.as_str() {
        "place" => plan.places[variant.place].to_string(),
        "cache" => variant.cache.word().to_owned(),
        "size" => format_size(parameters.data.size_bytes),
        "block" => format!("{} blocks", format_size(parameters.block_bytes)),
        "access" => parameters.access.text().to_owned(),
        "alignment" => parameters.alignment.text().to_owned(),
        "buffer" => format!("{} buffer", parameters.buffer.text()),
        other => match Setting::ALL.into_iter().find(|setting| setting.word() == other) {
            Some(setting) => setting.label(&parameters.settings.value(setting)),
            None => other.to_owned(),
        },
    });
    [variant.method.name.clone(), comparison.label.clone()]
        .into_iter()
        .chain(apart)
        .collect::<Vec<_>>()
        .join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixture::registry;
    use crate::plan::plan_ad_hoc;
    use crate::request::Request;
    use fathom_model::Operation;

    fn paired(methods: &[&str], sizes: &[u64]) -> Plan {
        let methods = methods.iter().map(|&method| method.to_owned()).collect();
        let request = Request { methods, sizes: sizes.to_vec(), ..Request::default() };
        let plan = plan_ad_hoc(Operation::ReadWhole, &request, &registry()).unwrap();
        pair_builds(plan, "go", ["go@1", "go@2"])
    }

    #[test]
    fn each_method_of_the_driver_is_beside_itself_in_every_condition() {
        let plan = paired(&["native:pread", "go:os.ReadFile", "go:mmap", "go:mmap"], &[128, 4096]);
        let found: Vec<_> = plan
            .comparisons
            .iter()
            .map(|pair| {
                let methods: Vec<_> = pair.variants.iter().map(|v| v.method.to_string()).collect();
                (pair.label.as_str(), methods.join(" "), pair.variants[0].parameters.data.size_bytes)
            })
            .collect();
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[0].1, "go@1:os.ReadFile go@2:os.ReadFile");
        assert_eq!((found[0].0, found[0].2), ("os.ReadFile · 128 B · warm", 128));
        assert_eq!((found[3].0, found[3].2), ("mmap · 4 KiB · warm", 4096));
    }

    #[test]
    fn without_the_driver_nothing_is_left() {
        assert!(paired(&["native:pread"], &[128]).comparisons.is_empty());
    }
}

//! What two builds are asked to do: every method both have, of the operations or
//! entries that the command line names.

use super::Builds;
use crate::arguments::BuildsForm;
use crate::command::Hinted;
use crate::command::entries::entry_named;
use crate::methods;
use fathom_catalog::{
    Plan, Request, nearest, pair_builds, parse_place, parse_size, parse_word, plan_ad_hoc, plan_entry,
};
use fathom_lab::Driver;
use fathom_model::{MethodDescription, Operation};

/// The plans, in the order in which to run them.
pub(super) fn plans(form: &BuildsForm, builds: &Builds) -> anyhow::Result<Vec<Plan>> {
    let shared = builds.shared();
    let request = request_of(form, builds, &shared)?;
    let mut plans = if form.entry.is_empty() {
        vec![of_operations(form, builds, &shared, &request)?]
    } else {
        form.entry
            .iter()
            .map(|name| of_entry(name, builds, &shared, &request))
            .collect::<Result<Vec<_>, _>>()?
    };
    if let Some(first) = plans.first_mut() {
        first.unmeasured.extend(builds.unshared());
    }
    Ok(plans)
}

impl Builds {
    /// The driver with the methods that both builds have, under its own name.
    fn shared(&self) -> Driver {
        let mut shared = self.old.clone().renamed(&self.driver);
        let others = &self.new.description.methods;
        shared.description.methods.retain_mut(|method| {
            let other = others.iter().find(|other| other.name == method.name);
            let both =
                |operation: &Operation| other.is_some_and(|other| other.operations.contains(operation));
            method.operations.retain(both);
            // What one of them lacks is said when it is tried.
            method.unavailable = None;
            !method.operations.is_empty()
        });
        shared
    }
}

fn request_of(form: &BuildsForm, builds: &Builds, shared: &Driver) -> anyhow::Result<Request> {
    Ok(Request {
        quick: form.quick,
        methods: methods_of(form, builds, shared)?,
        caches: form.cache.iter().map(|text| parse_word("--cache", text)).collect::<Result<_, _>>()?,
        places: form.dir.iter().map(|word| parse_place(word)).collect(),
        sizes: form.size.iter().map(|text| parse_size("--size", text)).collect::<Result<_, _>>()?,
        ..Request::default()
    })
}

/// The methods asked for, as plans name them; each must be one that both have.
fn methods_of(form: &BuildsForm, builds: &Builds, shared: &Driver) -> anyhow::Result<Vec<String>> {
    let prefix = format!("{}:", builds.driver);
    let known = || shared.description.methods.iter().map(|method| method.name.as_str());
    form.methods
        .iter()
        .map(|written| {
            let name = written.strip_prefix(&prefix).unwrap_or(written);
            if name == "*" || known().any(|known| known == name) {
                return Ok(format!("{prefix}{name}"));
            }
            let hint = match nearest(name, known()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("both have {}", known().collect::<Vec<_>>().join(", ")),
            };
            Err(Hinted::error(format!("--methods: no method `{name}` that both builds have"), hint))
        })
        .collect()
}

fn of_entry(name: &str, builds: &Builds, shared: &Driver, request: &Request) -> anyhow::Result<Plan> {
    let entry = entry_named(name)?.ok_or_else(|| {
        Hinted::error(
            format!("--entry: there is no experiment `{name}`"),
            "`fathom list entries` shows every entry; a file of your own ends in .toml",
        )
    })?;
    let registry = methods::registry(entry.method_patterns(), std::slice::from_ref(shared))?;
    let plan = plan_entry(&entry, request, &registry)?;
    let mut paired = pair_builds(plan, &builds.driver, builds.names());
    if paired.scenario.is_some() || paired.comparisons.is_empty() {
        return Err(Hinted::error(
            format!("--entry: {name} measures no method of the {} driver", builds.driver),
            "take an entry that does, or --operation",
        ));
    }
    paired.title = format!("{}: {} and {}", paired.title, builds.names()[0], builds.names()[1]);
    Ok(paired)
}

/// One plan of all operations.
fn of_operations(
    form: &BuildsForm,
    builds: &Builds,
    shared: &Driver,
    request: &Request,
) -> anyhow::Result<Plan> {
    let operations = operations_of(form, builds, shared, request)?;
    let registry = methods::registry(std::iter::empty(), std::slice::from_ref(shared))?;
    let mut merged: Option<Plan> = None;
    for &operation in &operations {
        let prefix = format!("{}:", builds.driver);
        let mut methods = request.methods.clone();
        methods.retain(|method| {
            let name = method.strip_prefix(&prefix).unwrap_or(method);
            name == "*" || performs(shared, name, operation)
        });
        if methods.is_empty() {
            methods.push(format!("{prefix}*"));
        }
        let mut plan = plan_ad_hoc(operation, &Request { methods, ..request.clone() }, &registry)?;
        if operations.len() > 1 {
            for comparison in &mut plan.comparisons {
                comparison.label = format!("{operation} · {}", comparison.label);
            }
        }
        let paired = pair_builds(plan, &builds.driver, builds.names());
        match &mut merged {
            None => merged = Some(paired),
            Some(all) => {
                all.comparisons.extend(paired.comparisons);
                all.unmeasured.extend(paired.unmeasured);
            }
        }
    }
    let mut plan = merged.ok_or_else(|| nothing_shared(builds))?;
    let words: Vec<_> = operations.iter().map(|operation| operation.word()).collect();
    plan.title = words.join(", ");
    plan.question = format!("What does {} cost beside {}?", builds.names()[1], builds.names()[0]);
    Ok(plan)
}

/// The operations asked for, else all that the methods in question perform.
fn operations_of(
    form: &BuildsForm,
    builds: &Builds,
    shared: &Driver,
    request: &Request,
) -> anyhow::Result<Vec<Operation>> {
    if !form.operation.is_empty() {
        return form.operation.iter().map(|word| operation_named(word)).collect();
    }
    if builds.old.facts.source_sha256.value().is_some() {
        return Err(Hinted::error(
            format!("which operation of the {} driver? it has many", builds.driver),
            "name a catalog entry with --entry, or operations with --operation",
        ));
    }
    let prefix = format!("{}:", builds.driver);
    let asked = |method: &MethodDescription| {
        request.methods.is_empty()
            || request.methods.iter().any(|asked| {
                let name = asked.strip_prefix(&prefix).unwrap_or(asked);
                name == "*" || name == method.name
            })
    };
    let methods: Vec<_> =
        shared.description.methods.iter().filter(|method| method.name != "null" && asked(method)).collect();
    let has = |operation: &Operation| methods.iter().any(|method| method.operations.contains(operation));
    let operations: Vec<_> = Operation::ALL.into_iter().filter(has).collect();
    if operations.is_empty() { Err(nothing_shared(builds)) } else { Ok(operations) }
}

fn operation_named(word: &str) -> anyhow::Result<Operation> {
    word.parse().map_err(|error| {
        let hint = match nearest(word, Operation::ALL.map(Operation::word)) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "`fathom list operations` shows every operation".to_owned(),
        };
        Hinted::error(format!("--operation: {error}"), hint)
    })
}

fn performs(driver: &Driver, name: &str, operation: Operation) -> bool {
    let methods = &driver.description.methods;
    methods.iter().any(|method| method.name == name && method.operations.contains(&operation))
}

fn nothing_shared(builds: &Builds) -> anyhow::Error {
    Hinted::error(
        format!("the two builds of {} have no method in common", builds.driver),
        "methods are matched by their names, as `describe` prints them",
    )
}

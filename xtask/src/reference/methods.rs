//! Operations, and the methods of each driver, from the drivers' manifests.

use super::{prose, titled};
use fathom_lab::shipped_registry;
use fathom_model::{MethodDescription, Operation, Setting};

/// The page.
pub(super) fn page() -> anyhow::Result<String> {
    let registry = shipped_registry()?;
    let mut lines = vec![
        "What drivers can do with files, and in which ways. Whether a method can run on a machine is told by `fathom list methods`.".to_owned(),
        String::new(),
        "## Operations".to_owned(),
        String::new(),
        "| operation | what one does | methods |".to_owned(),
        "|---|---|---:|".to_owned(),
    ];
    lines.extend(Operation::ALL.into_iter().map(|operation| {
        let methods = registry.methods_of(operation).len();
        format!("| `{}` | {} | {methods} |", operation.word(), prose(operation.sentence()))
    }));
    for driver in registry.drivers() {
        lines.push(format!("\n## {} ({})\n", driver.name, prose(&driver.language)));
        let toolchain = &driver.toolchain;
        lines.push(format!(
            "Built and run by `{}`, or by the program that `{}` names.\n",
            toolchain.program, toolchain.variable
        ));
        lines.extend(driver.methods.iter().map(|method| item(&driver.name, method)));
    }
    Ok(titled("Operations and methods", &lines.join("\n")))
}

fn item(driver: &str, method: &MethodDescription) -> String {
    let operations: Vec<_> = method.operations.iter().map(|operation| operation.word()).collect();
    // `null` is there for all that the others do.
    let operations = if method.name == "null" { "all".to_owned() } else { operations.join(", ") };
    let mut says = vec![prose(&method.does)];
    if !method.takes.is_empty() {
        let takes: Vec<_> = method.takes.iter().copied().map(Setting::word).collect();
        says.push(format!("takes {}", takes.join(", ")));
    }
    says.extend(method.flaw.iter().map(|flaw| format!("**answers wrongly, as published:** {}", prose(flaw))));
    format!("- `{driver}:{}` ({operations}): {}", method.name, says.join("; "))
}

//! Whether a record was made on a machine and kernel: what of its environment
//! bears on the order of methods.

use fathom_model::{Environment, Reading};

/// What of the record's environment is not as here, as `what: record's, here ours`.
pub(super) fn differences(record: &Environment, here: &Environment) -> Vec<String> {
    let text = |reading: &Reading<String>| reading.value().cloned().unwrap_or_else(|| "unknown".to_owned());
    let both = [
        ("kernel", record.kernel.clone(), here.kernel.clone()),
        ("architecture", record.architecture.clone(), here.architecture.clone()),
        ("CPU", text(&record.cpu_model), text(&here.cpu_model)),
        ("hypervisor", text(&record.virtualization), text(&here.virtualization)),
        ("page size", record.page_bytes.to_string(), here.page_bytes.to_string()),
    ];
    let differing = both.into_iter().filter(|(_, theirs, ours)| theirs != ours);
    differing.map(|(what, theirs, ours)| format!("{what} {theirs}, here {ours}")).collect()
}

/// True when times taken there are times of here: machine and kernel are the same.
pub fn is_made_here(record: &Environment, here: &Environment) -> bool {
    differences(record, here).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::environment;

    #[test]
    fn another_kernel_or_processor_is_not_here() {
        let here = environment();
        assert!(is_made_here(&environment(), &here));
        let mut other = environment();
        other.kernel = "5.15.0".into();
        other.cpu_model = Reading::unavailable("no model name");
        assert_eq!(
            differences(&other, &here),
            ["kernel 5.15.0, here 6.18.2", "CPU unknown, here AMD EPYC 7763 64-Core Processor"]
        );
        assert!(!is_made_here(&other, &here));
        let mut rights = environment();
        rights.uid = 1000;
        assert!(is_made_here(&rights, &here), "another user of it");
    }
}

//! Warnings about the machine and about what disturbed it.

use fathom_collect::concerns_language;
use fathom_model::{
    CacheState, DriverFacts, Environment, ExperimentRecord, ForeignTracer, Noise, Reading, Severity, Warning,
};

/// Load per CPU, beside our own work, above which the host is called loaded.
const LOAD_PER_CPU: f64 = 0.5;
/// Share of CPU time stolen by the hypervisor that is told.
const STEAL_SHARE: f64 = 0.01;
/// CPUs kept busy by others that are told. We ourselves keep one busy at most:
/// harness and drivers share it.
const OTHERS_CPUS: f64 = 0.15;

/// What a reader must know of the machine before reading any figure.
pub fn host_warnings(environment: &Environment) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Reading::Value(tracers) = &environment.foreign_tracers {
        warnings.extend(tracers_warning(tracers));
    }
    if let Some(schemes) = environment.damon_page_out.value().filter(|schemes| !schemes.is_empty()) {
        let text = format!("idle pages leave the page cache by themselves here: {}", schemes.join("; "));
        warnings.push(
            Warning::new(Severity::Note, "page-out", text)
                .with_hint("a warm batch that found pages gone is discarded; files read seldom may be cold"),
        );
    }
    if environment.clock_cost_ns > 200.0 {
        let text = format!(
            "reading the clock costs {:.0} ns: it does not go through the vDSO",
            environment.clock_cost_ns
        );
        warnings.push(Warning::new(Severity::Warning, "slow-clock", text));
    }
    warnings
}

/// All tracers of others in one warning, which names the first few.
fn tracers_warning(tracers: &[ForeignTracer]) -> Option<Warning> {
    const NAMED_MAX: usize = 3;
    let named = tracers.iter().take(NAMED_MAX).map(|tracer| format!("{} ({})", tracer.detail, tracer.source));
    let named = named.collect::<Vec<_>>().join(", ");
    let list = match tracers.len().saturating_sub(NAMED_MAX) {
        0 => named,
        more => format!("{named} and {more} more"),
    };
    let lead = if tracers.len() == 1 { "another tracer slows" } else { "other tracers slow" };
    let text = format!("{lead} system calls on this machine: {list}");
    (!tracers.is_empty()).then(|| {
        Warning::new(Severity::Warning, "foreign-tracer", text)
            .with_hint("stop what traces, or compare only figures taken under it")
    })
}

/// The variables that reach what is measured, in one warning: those that concern any of the drivers;
/// of commands, which may be anything (no driver is named), all.
pub fn variables_warning(environment: &Environment, drivers: &[&DriverFacts]) -> Option<Warning> {
    // What a driver is given by Fathom replaces what it would inherit.
    let reaches = |name: &str, driver: &DriverFacts| {
        concerns_language(name, &driver.language) && !driver.environment.contains_key(name)
    };
    let concerns = |name: &&String| drivers.is_empty() || drivers.iter().any(|driver| reaches(name, driver));
    let names: Vec<&str> = environment.variables.keys().filter(concerns).map(String::as_str).collect();
    let what = if drivers.is_empty() { "commands" } else { "drivers" };
    let text = format!(
        "variables that change how programs run were set, and {what} inherit them: {}",
        names.join(", ")
    );
    (!names.is_empty()).then(|| {
        Warning::new(Severity::Warning, "variables", text)
            .with_hint("unset them, or compare only with what was measured under them")
    })
}

/// What cold means in a virtual machine: what the host below holds is not ours to evict.
pub fn guest_cold_warning(environment: &Environment, experiments: &[ExperimentRecord]) -> Option<Warning> {
    let hypervisor = environment.virtualization.value().filter(|name| *name != "none")?;
    let mut comparisons = experiments.iter().flat_map(|experiment| &experiment.comparisons);
    let cold =
        comparisons.any(|comparison| comparison.cache.iter().any(|cache| cache.state == CacheState::Cold));
    cold.then(|| {
        let text = format!(
            "cold is guest-cold: the pages were not in this guest's memory, but the host under {hypervisor} may have held them"
        );
        Warning::new(Severity::Note, "guest-cold", text)
    })
}

/// What disturbed the machine during a run.
pub fn noise_warnings(noise: &Noise) -> Vec<Warning> {
    noise_warnings_on(noise, fathom_collect::online_cpus())
}

/// The same on so many CPUs: all that run, not only those that Fathom may use.
pub fn noise_warnings_on(noise: &Noise, cpus: usize) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let loaded = |reading: &Reading<f64>, limit: f64| reading.value().copied().filter(|&value| value > limit);
    if let Some(load) = loaded(&noise.load_average_start, LOAD_PER_CPU * cpus as f64) {
        let text = format!("the host was loaded when the run began: load {load:.2} on {cpus} CPUs");
        warnings.push(
            Warning::new(Severity::Warning, "loaded-host", text)
                .with_hint("intervals still cover, but are wider than they need be"),
        );
    }
    if let Some(steal) = loaded(&noise.steal_share, STEAL_SHARE) {
        let text = format!("the hypervisor stole {:.1} % of the CPU time", steal * 100.0);
        warnings.push(Warning::new(Severity::Warning, "steal", text));
    }
    // Pressure would say little here: threads of one driver that share a CPU
    // wait for each other.
    if let Some(others) = loaded(&others_cpus(noise, cpus), OTHERS_CPUS) {
        let text = format!("other work kept {others:.1} of {cpus} CPUs busy meanwhile");
        warnings.push(
            Warning::new(Severity::Warning, "other-work", text)
                .with_hint("intervals still cover, but are wider than they need be"),
        );
    }
    warnings
}

/// CPUs that other work than ours kept busy, below 0 where we left ours idle.
pub fn others_cpus(noise: &Noise, cpus: usize) -> Reading<f64> {
    noise.busy_share.clone().map(|share| share * cpus as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet() -> Noise {
        Noise {
            load_average_start: Reading::Value(0.0),
            load_average_end: Reading::Value(1.0),
            steal_share: Reading::Value(0.0),
            busy_share: Reading::Value(0.0),
            cpu_pressure_share: Reading::unavailable("no PSI"),
            io_pressure_share: Reading::unavailable("no PSI"),
            cache_drops: Reading::Value(0),
            seconds: 1.0,
        }
    }

    #[test]
    fn the_languages_of_all_shipped_drivers_are_known() {
        let concerned = |variable: &str| {
            let languages = crate::drivers::driver_source::SHIPPED.iter().map(|source| {
                let manifest: toml::Table = source.manifest.parse().unwrap();
                manifest["language"].as_str().unwrap().to_owned()
            });
            languages.filter(|language| concerns_language(variable, language)).count()
        };
        assert_eq!(concerned("LD_PRELOAD"), 7);
        for of_one in ["GODEBUG", "JAVA_TOOL_OPTIONS", "NODE_OPTIONS", "PYTHONPATH", "RUST_MIN_STACK"] {
            assert_eq!(concerned(of_one), 1, "{of_one}");
        }
    }

    #[test]
    fn cold_in_a_guest_is_told_and_warm_or_bare_metal_is_not() {
        let mut record = fathom_testkit::complete();
        let mut told = |virtualization: &str, state| {
            record.environment.virtualization = Reading::Value(virtualization.to_owned());
            for cache in
                record.experiments.iter_mut().flat_map(|e| &mut e.comparisons).flat_map(|c| &mut c.cache)
            {
                cache.state = state;
            }
            guest_cold_warning(&record.environment, &record.experiments).is_some()
        };
        assert!(told("KVM", CacheState::Cold));
        assert!(!told("KVM", CacheState::Warm));
        assert!(!told("none", CacheState::Cold));
    }

    #[test]
    fn variables_are_told_where_they_concern_what_is_measured() {
        let mut environment = fathom_testkit::environment();
        let mut go = fathom_testkit::driver_facts("ways.go", "go1.26.8", &[("GOMAXPROCS", "1")]);
        let mut native = fathom_testkit::driver_facts("native", "rustc", &[]);
        "Go".clone_into(&mut go.language);
        "Rust and C library".clone_into(&mut native.language);
        assert_eq!(variables_warning(&environment, &[&go]), None);
        environment.variables.insert("GOMAXPROCS".to_owned(), "7".to_owned());
        assert_eq!(variables_warning(&environment, &[&go]), None, "it is given another one");
        environment.variables.insert("GODEBUG".to_owned(), "x=1".to_owned());
        environment.variables.insert("LD_PRELOAD".to_owned(), "/x.so".to_owned());
        let told = |drivers: &[&DriverFacts]| {
            let warning = variables_warning(&environment, drivers).unwrap();
            warning.message.rsplit(": ").next().unwrap().to_owned()
        };
        assert_eq!(told(&[&native, &go]), "GODEBUG, LD_PRELOAD");
        assert_eq!(told(&[&native]), "LD_PRELOAD");
        assert_eq!(told(&[]), "GODEBUG, GOMAXPROCS, LD_PRELOAD");
    }

    #[test]
    fn all_tracers_are_one_warning_that_names_the_first_three() {
        let tracer = |number| ForeignTracer { source: "bpf".to_owned(), detail: format!("program {number}") };
        assert_eq!(tracers_warning(&[]), None);
        let message = |count| tracers_warning(&(0..count).map(tracer).collect::<Vec<_>>()).unwrap().message;
        assert_eq!(message(1), "another tracer slows system calls on this machine: program 0 (bpf)");
        let many = message(5);
        assert!(
            many.starts_with("other tracers slow") && many.ends_with("program 2 (bpf) and 2 more"),
            "{many}"
        );
    }

    #[test]
    fn page_out_by_damon_is_told_and_its_absence_is_not() {
        let mut environment = fathom_testkit::environment();
        let codes = |environment: &_| -> Vec<String> {
            host_warnings(environment).into_iter().map(|warning| warning.code).collect()
        };
        assert!(codes(&environment).is_empty());
        environment.damon_page_out = Reading::unavailable("root's to read");
        assert!(codes(&environment).is_empty());
        environment.damon_page_out = Reading::Value(vec!["DAMON pages out what was idle for 60 s".into()]);
        assert_eq!(codes(&environment), ["page-out"]);
    }

    #[test]
    fn a_quiet_machine_is_not_spoken_of_and_a_noisy_one_is() {
        assert_eq!(noise_warnings(&quiet()), []);
        let noisy = Noise {
            load_average_start: Reading::Value(1000.0),
            steal_share: Reading::Value(0.05),
            busy_share: Reading::Value(1.0),
            ..quiet()
        };
        let codes: Vec<_> = noise_warnings(&noisy).into_iter().map(|warning| warning.code).collect();
        // Only on one CPU is all of it ours.
        let many = fathom_collect::online_cpus() > 1;
        let expected: &[&str] =
            if many { &["loaded-host", "steal", "other-work"] } else { &["loaded-host", "steal"] };
        assert_eq!(codes, expected);
    }
}

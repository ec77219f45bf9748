//! The machine, as every record names it.

mod container;

use crate::page_out::damon_page_out;
use crate::source::{self, chosen, field, parsed};
use crate::tracers::foreign_tracers;
use crate::variables::telling_variables;
use fathom_model::{Environment, Reading};
use fathom_sys::{affinity, capability, clock, hypervisor};
use rustix::system::uname;
use std::path::Path;

/// Readings of the clock in one round of measuring its cost.
const CLOCK_READINGS: u32 = 2000;
/// Rounds; the fastest counts, for whatever else ran made the others slower.
const CLOCK_ROUNDS: u32 = 7;

/// Reads the facts of this machine that bear on the cost of file calls.
pub fn environment() -> Environment {
    let Machine { kernel, architecture, cpu_model } = machine();
    let cpus = affinity::current_cpus().unwrap_or_default();
    Environment {
        host: source::text("/proc/sys/kernel/hostname"),
        kernel,
        architecture,
        cpu_model,
        governor: governor(&cpus),
        cpus,
        memory_bytes: parsed(source::text("/proc/meminfo"), memory_bytes),
        page_bytes: rustix::param::page_size() as u64,
        virtualization: virtualization(),
        clock_source: source::text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        clock_resolution_ns: clock::resolution_ns(),
        clock_cost_ns: clock_cost_ns(),
        // Of the slab itself: root's to read, and absent where slabs are merged out of sight.
        dentry_bytes: source::number("/sys/kernel/slab/dentry/object_size"),
        damon_page_out: damon_page_out(Path::new("/sys")),
        transparent_huge_pages: parsed(source::text("/sys/kernel/mm/transparent_hugepage/enabled"), chosen),
        mitigations: mitigations(),
        uid: rustix::process::geteuid().as_raw(),
        capabilities: capability::effective().map(|bits| format!("{bits:016x}")).into(),
        perf_event_paranoid: source::number("/proc/sys/kernel/perf_event_paranoid"),
        container: container::hint(),
        foreign_tracers: foreign_tracers().reading(),
        variables: telling_variables(),
    }
}

/// What of the environment decides what calls cost, as far as a few names tell: far less to read
/// than all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The kernel's release.
    pub kernel: String,
    /// The machine's architecture.
    pub architecture: String,
    /// The processor's name.
    pub cpu_model: Reading<String>,
}

impl From<&Environment> for Machine {
    fn from(environment: &Environment) -> Self {
        let Environment { kernel, architecture, cpu_model, .. } = environment.clone();
        Self { kernel, architecture, cpu_model }
    }
}

/// Reads it.
pub fn machine() -> Machine {
    let system = uname();
    Machine {
        kernel: system.release().to_string_lossy().into_owned(),
        architecture: system.machine().to_string_lossy().into_owned(),
        cpu_model: parsed(source::text("/proc/cpuinfo"), cpu_model),
    }
}

fn cpu_model(info: &str) -> Result<String, String> {
    let named = ["model name", "Model", "cpu model", "uarch"].iter().find_map(|key| field(info, key));
    if let Some(name) = named {
        return Ok(name.to_owned());
    }
    // ARM gives numbers only.
    match (field(info, "CPU implementer"), field(info, "CPU part")) {
        (Some(implementer), Some(part)) => Ok(format!("ARM implementer {implementer} part {part}")),
        _ => Err("/proc/cpuinfo names no model".to_owned()),
    }
}

fn governor(cpus: &[u32]) -> Reading<String> {
    let Some(cpu) = cpus.first() else { return Reading::unavailable("the CPUs allowed are not known") };
    source::text(format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"))
}

fn memory_bytes(info: &str) -> Result<u64, String> {
    let value = field(info, "MemTotal").ok_or("/proc/meminfo: no MemTotal")?;
    let kib = value.strip_suffix("kB").map(str::trim).and_then(|number| number.parse::<u64>().ok());
    kib.map(|kib| kib * 1024).ok_or_else(|| format!("/proc/meminfo: MemTotal is `{value}`"))
}

fn virtualization() -> Reading<String> {
    if hypervisor::is_known() {
        let name = |signature: String| match signature.as_str() {
            "KVMKVMKVM" => "KVM".to_owned(),
            "Microsoft Hv" => "Hyper-V".to_owned(),
            "VMwareVMware" => "VMware".to_owned(),
            "XenVMMXenVMM" => "Xen".to_owned(),
            "" => "unnamed hypervisor".to_owned(),
            _ => signature,
        };
        return Reading::Value(hypervisor::signature().map_or_else(|| "none".to_owned(), name));
    }
    match source::text("/proc/device-tree/hypervisor/compatible") {
        Reading::Value(text) => Reading::Value(text.trim_matches('\0').to_owned()),
        Reading::Unavailable(_) => source::text("/sys/hypervisor/type"),
    }
}

/// The cost of one reading of the clock, as a program pays it, in ns.
fn clock_cost_ns() -> f64 {
    let round = || {
        let start = clock::monotonic_ns();
        for _ in 0..CLOCK_READINGS {
            std::hint::black_box(clock::monotonic_ns());
        }
        clock::monotonic_ns() - start
    };
    let fastest = (0..CLOCK_ROUNDS).map(|_| round()).min().expect("there is a round");
    fastest as f64 / f64::from(CLOCK_READINGS + 1)
}

fn mitigations() -> Reading<Vec<String>> {
    let folder = "/sys/devices/system/cpu/vulnerabilities";
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return Reading::unavailable(format!("{folder}: {error}")),
    };
    let mut lines: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            let state = source::text(entry.path()).value()?.clone();
            (state != "Not affected").then(|| format!("{}: {state}", entry.file_name().to_string_lossy()))
        })
        .collect();
    lines.sort_unstable();
    Reading::Value(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_models_of_several_architectures_are_found() {
        assert_eq!(cpu_model("processor\t: 0\nmodel\t\t: 207\nmodel name\t: A CPU\n"), Ok("A CPU".into()));
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
        assert_eq!(cpu_model(arm), Ok("ARM implementer 0x41 part 0xd0c".into()));
        assert!(cpu_model("processor\t: 0\n").is_err());
    }

    #[test]
    fn memory_is_in_bytes() {
        assert_eq!(memory_bytes("MemTotal:       24684092 kB\nMemFree: 1 kB\n"), Ok(24_684_092 * 1024));
        assert!(memory_bytes("MemFree: 1 kB\n").is_err());
    }

    #[test]
    fn this_machine_is_described() {
        let found = environment();
        assert_eq!(found.kernel, source::text("/proc/sys/kernel/osrelease").value().unwrap().as_str());
        assert!(!found.cpus.is_empty());
        assert!(found.clock_cost_ns > 0.0);
        assert!(found.page_bytes.is_power_of_two());
        assert!(found.memory_bytes.value().unwrap() > &(1 << 20));
        assert!(!found.perf_event_paranoid.value().unwrap().to_string().is_empty());
    }
}

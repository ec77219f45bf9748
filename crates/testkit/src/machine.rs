//! A sample machine: its environment, floors, noise, drivers and places.

use fathom_model::{DeviceFacts, DriverFacts, Environment, Floor, Floors, Noise, Place, PlaceFacts, Reading};
use std::collections::BTreeMap;

/// A small virtual machine, quiet and without foreign tracers.
pub fn environment() -> Environment {
    Environment {
        host: Reading::unavailable("not kept in this record"),
        kernel: "6.18.2".into(),
        architecture: "x86_64".into(),
        cpu_model: Reading::Value("AMD EPYC 7763 64-Core Processor".into()),
        cpus: vec![0, 1],
        governor: Reading::unavailable("no cpufreq in this guest"),
        memory_bytes: Reading::Value(8 << 30),
        page_bytes: 4096,
        virtualization: Reading::Value("kvm".into()),
        clock_source: Reading::Value("tsc".into()),
        clock_resolution_ns: 1,
        clock_cost_ns: 24.3,
        dentry_bytes: Reading::Value(192),
        damon_page_out: Reading::Value(Vec::new()),
        transparent_huge_pages: Reading::Value("madvise".into()),
        mitigations: Reading::Value(vec![
            "spectre_v2: Mitigation: Retpolines; IBPB: conditional".into(),
            "spec_store_bypass: Mitigation: Speculative Store Bypass disabled via prctl".into(),
        ]),
        uid: 0,
        capabilities: Reading::Value("000001ffffffffff".into()),
        perf_event_paranoid: Reading::Value(2),
        container: Reading::Value("none".into()),
        foreign_tracers: Reading::Value(Vec::new()),
        variables: BTreeMap::new(),
    }
}

/// What the cheapest calls cost on it.
pub fn floors() -> Floors {
    let floor = |median, least, most| Floor { median, least, most, batches: 31 };
    Floors {
        null_call_ns: floor(141.2, 139.0, 163.5),
        fstat_ns: floor(174.6, 172.0, 201.3),
        pread_ns: floor(263.9, 261.0, 312.8),
    }
}

/// Little noise over `seconds`.
pub fn quiet_noise(seconds: f64) -> Noise {
    Noise {
        load_average_start: Reading::Value(0.42),
        load_average_end: Reading::Value(0.61),
        steal_share: Reading::Value(0.0008),
        busy_share: Reading::Value(0.53),
        cpu_pressure_share: Reading::Value(0.012),
        io_pressure_share: Reading::Value(0.0),
        cache_drops: Reading::Value(0),
        seconds,
    }
}

/// A driver by its short name, with `environment` set for it.
pub fn driver_facts(driver: &str, runtime: &str, environment: &[(&str, &str)]) -> DriverFacts {
    let (language, toolchain) = match driver {
        "go" => ("Go", "go version go1.26.8 linux/amd64"),
        _ => ("Rust", "built in"),
    };
    DriverFacts {
        driver: driver.into(),
        language: language.into(),
        runtime: runtime.into(),
        toolchain: toolchain.into(),
        source_sha256: Reading::Value("9f2c".repeat(16)),
        product_sha256: Reading::unavailable("not built by Fathom, or part of it"),
        program: format!("fathom-driver-{driver}"),
        environment: environment.iter().map(|&(k, v)| (k.into(), v.into())).collect::<BTreeMap<_, _>>(),
    }
}

/// A directory on ext4.
pub fn directory_place(path: &str) -> PlaceFacts {
    PlaceFacts {
        place: Place::Directory(path.into()),
        file_system: "ext4".into(),
        magic: "0xef53".into(),
        in_memory: false,
        mount_point: Reading::Value("/".into()),
        mount_options: Reading::Value(vec!["rw".into(), "relatime".into(), "discard".into()]),
        journal: Reading::Value("journaled (jbd2/vda-8)".into()),
        device: Reading::Value(DeviceFacts {
            name: "vda".into(),
            number: "254:0".into(),
            scheduler: Reading::Value("none".into()),
            read_ahead_kib: Reading::Value(128),
            max_sectors_kib: Reading::Value(1280),
            logical_block_bytes: Reading::Value(512),
            rotational: Reading::Value(false),
            model: Reading::unavailable("a virtio disk tells none"),
        }),
        block_bytes: 4096,
        inode_bytes: Reading::Value(1160),
        direct_io_alignment_bytes: Reading::Value(512),
        path_depth: Reading::Value(5),
    }
}

/// Anonymous memory files.
pub fn memory_place() -> PlaceFacts {
    PlaceFacts {
        place: Place::Memfd,
        file_system: "tmpfs".into(),
        magic: "0x1021994".into(),
        in_memory: true,
        mount_point: Reading::unavailable("a memfd has no mount point"),
        mount_options: Reading::unavailable("a memfd has no mount"),
        journal: Reading::Value("no journal".into()),
        device: Reading::unavailable("no block device"),
        block_bytes: 4096,
        inode_bytes: Reading::Value(760),
        direct_io_alignment_bytes: Reading::unavailable("statx gives none on tmpfs"),
        path_depth: Reading::Value(4),
    }
}

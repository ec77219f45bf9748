//! Every shipped experiment plans against the manifests of the real drivers,
//! and says what its source reports.

use fathom_catalog::{DriverManifest, Entry, MethodRegistry, Plan, Request, SHIPPED, plan_entry};
use fathom_model::{CacheState, Place, Quantity, Setting};

fn manifests() -> Vec<DriverManifest> {
    let manifests = [
        ("drivers/native/driver.toml", include_str!("../../../drivers/native/driver.toml")),
        ("drivers/cpp/driver.toml", include_str!("../../../drivers/cpp/driver.toml")),
        ("drivers/go/driver.toml", include_str!("../../../drivers/go/driver.toml")),
        ("drivers/java/driver.toml", include_str!("../../../drivers/java/driver.toml")),
        ("drivers/zig/driver.toml", include_str!("../../../drivers/zig/driver.toml")),
        ("drivers/python/driver.toml", include_str!("../../../drivers/python/driver.toml")),
        ("drivers/node/driver.toml", include_str!("../../../drivers/node/driver.toml")),
    ];
    manifests.map(|(file, text)| DriverManifest::parse(file, text).expect("a valid manifest")).to_vec()
}

fn registry() -> MethodRegistry {
    MethodRegistry::new(manifests()).expect("drivers of different names")
}

/// With the toolchains that the entry names: `java@25` is the driver `java` under another name.
fn registry_for(entry: &Entry) -> MethodRegistry {
    let mut all = manifests();
    let patterns = entry.method_patterns().filter_map(|pattern| pattern.split_once(':'));
    for (name, _) in patterns {
        let base = name.split_once('@').map(|(base, _)| base);
        let known = all.iter().any(|manifest| manifest.name == name);
        if let Some(manifest) = all.iter().find(|manifest| !known && Some(manifest.name.as_str()) == base) {
            all.push(DriverManifest { name: name.to_owned(), ..manifest.clone() });
        }
    }
    MethodRegistry::new(all).expect("drivers of different names")
}

fn entry(name: &str) -> Entry {
    let shipped = SHIPPED.iter().find(|shipped| shipped.name == name).expect("a shipped name");
    Entry::parse(shipped.file, shipped.text).expect("a valid experiment")
}

fn plan(name: &str, quick: bool) -> Plan {
    let request = Request { quick, ..Request::default() };
    let entry = entry(name);
    plan_entry(&entry, &request, &registry_for(&entry))
        .unwrap_or_else(|error| panic!("{error}: {:?}", error.hint()))
}

fn sizes(plan: &Plan) -> Vec<u64> {
    plan.comparisons.iter().map(|comparison| comparison.variants[0].parameters.data.size_bytes).collect()
}

fn figures(name: &str, quantity: Quantity) -> Vec<f64> {
    let entry = entry(name);
    let all = entry.reported().iter().flat_map(|publication| &publication.figures);
    all.filter(|figure| figure.quantity == quantity).map(|figure| figure.value).collect()
}

#[test]
fn every_experiment_plans_whole_and_quick() {
    for shipped in SHIPPED {
        let entry = Entry::parse(shipped.file, shipped.text).unwrap();
        assert_eq!(entry.name, shipped.name);
        assert!(entry.source.is_some(), "{}", shipped.name);
        for quick in [false, true] {
            let plan = plan(shipped.name, quick);
            if plan.scenario.is_some() {
                assert!(!plan.places.is_empty(), "{}", shipped.name);
                continue;
            }
            assert!(!plan.comparisons.is_empty(), "{}", shipped.name);
            assert!(plan.unmeasured.is_empty(), "{}: {:?}", shipped.name, plan.unmeasured);
            assert!(plan.comparisons.iter().all(|c| c.variants.len() > 1), "{}", shipped.name);
        }
    }
}

#[test]
fn the_open_and_read_pages_hold_every_method() {
    let registry = registry();
    for name in ["open-all", "read-all"] {
        let plan = plan(name, false);
        let all = registry.methods_of(plan.comparisons[0].variants[0].operation);
        for comparison in &plan.comparisons {
            assert_eq!(
                comparison.variants.len(),
                all.len() - registry.drivers().len(),
                "all but the null methods"
            );
            assert_eq!(comparison.variants[comparison.baseline].method.driver, "native");
        }
    }
    let read = plan("read-all", false);
    assert_eq!(sizes(&read), [128, 128, 4096, 4096, 65_536, 65_536, 1 << 20, 1 << 20, 64 << 20, 64 << 20]);
    let quick = plan("read-all", true);
    assert_eq!(sizes(&quick), [4096]);
    assert!(quick.comparisons.iter().all(|c| c.variants.iter().all(|v| v.cache == CacheState::Warm)));
}

#[test]
fn the_go_write_up_stands_with_its_figures() {
    let open = plan("open-go", false);
    assert_eq!(sizes(&open), [1 << 30]);
    assert_eq!(open.comparisons[0].variants.len(), 9);
    assert_eq!(
        open.comparisons[0].variants[open.comparisons[0].baseline].method.to_string(),
        "go:syscall.Open"
    );
    assert_eq!(figures("open-go", Quantity::Time), [2520.0, 2530.0]);
    assert_eq!(sizes(&plan("open-go", true)), [1 << 20]);

    let pread = plan("open-pread-go", false);
    let blocks: Vec<_> = pread.comparisons.iter().map(|c| c.variants[0].parameters.block_bytes).collect();
    assert_eq!(blocks, [512, 512, 512, 1024, 1024, 1024, 4096, 4096, 4096, 8096, 8096, 8096]);
    assert_eq!(pread.comparisons[0].label, "1 GiB · 512 B blocks · stack buffer · warm");
    assert_eq!(figures("open-pread-go", Quantity::Time), [1544.0, 1542.0, 1586.0, 1656.0]);
}

#[test]
fn each_elided_call_stands_beside_the_same_call_made_in_the_same_process() {
    let plan = plan("open-write-whatif", false);
    let mut elided = 0;
    for comparison in &plan.comparisons {
        let baseline = &comparison.variants[comparison.baseline];
        for variant in comparison.variants.iter().filter(|variant| variant.method.name.ends_with("-fstat")) {
            assert_eq!(format!("{}-fstat", baseline.method), variant.method.to_string());
            assert_eq!(baseline.parameters, variant.parameters, "what differs starts another process");
            assert_eq!(variant.parameters.settings.text(Setting::Preload), "elide-fstat");
            elided += 1;
        }
    }
    assert_eq!(elided, 5 * 2 + 2, "native code and two classes of two JDKs, in two places; two on /dev/null");
    let reported = figures("open-write-whatif", Quantity::Time);
    assert_eq!(reported, [3722.0, 3192.0, 3812.0, 3276.0, 3817.0, 3315.0]);
}

#[test]
fn the_small_file_write_up_stands_with_its_figures() {
    assert_eq!(figures("small-go", Quantity::Time), [321.0, 398.0, 472.0]);
    assert_eq!(figures("small-go", Quantity::Allocations), [1.0, 2.0, 3.0]);
    assert_eq!(figures("small-go", Quantity::AllocatedBytes), [128.0, 256.0, 512.0]);
    // Allocations and pauses by size are those of a loop without a file.
    assert_eq!(figures("small-sweep", Quantity::Allocations), [0.0; 0]);
    let loops = plan("go-allocations", false);
    for reported in ["1.2, 4.7 and 5.1 allocs/op", "18.2 µs at 128 B, 42.6 µs at 512 B, 58.9 µs at 999 B"]
    {
        let mut said = loops.claims.iter().filter_map(|claim| claim.reported.as_deref());
        assert!(said.any(|said| said.contains(reported)), "{reported}");
    }

    let sweep = plan("small-sweep", false);
    let half = sweep.comparisons.len() / 2;
    assert!(sweep.comparisons[half..].iter().all(|c| c.label.starts_with("every language: ")));
    let mut swept = sizes(&sweep);
    assert_eq!(swept.split_off(half), swept, "every language at the same sizes");
    swept.sort_unstable();
    let hundreds = (1..=9).map(|n| n * 100);
    let mut expected: Vec<u64> = [12, 128, 512, 513, 769, 999].into_iter().chain(hundreds).collect();
    expected.extend((10..=20).map(|exponent| 1_u64 << exponent));
    expected.sort_unstable();
    assert_eq!(swept, expected);
}

#[test]
fn reported_figures_stand_beside_a_variant_that_is_measured() {
    for shipped in SHIPPED {
        let plan = plan(shipped.name, false);
        let variants: Vec<_> = plan.comparisons.iter().flat_map(|comparison| &comparison.variants).collect();
        for figure in plan.reported.iter().flat_map(|publication| &publication.figures) {
            let measured = variants.iter().any(|variant| figure.is_about(variant));
            assert!(measured, "{}: {figure:?}", shipped.name);
        }
    }
}

#[test]
fn the_places_are_a_directory_tmpfs_and_a_memfd() {
    let plan = plan("places", false);
    let [Place::Directory(here), Place::Directory(shm), Place::Memfd] = &plan.places[..] else {
        panic!("{:?}", plan.places)
    };
    assert_eq!((here.to_str(), shm.to_str()), (Some("."), Some("/dev/shm")));
    assert_eq!(plan.comparisons.len(), 4 * 2, "four methods at two sizes");
    assert!(plan.comparisons.iter().all(|c| c.baseline == 0 && c.differing_parameters == ["place"]));
}

#[test]
fn the_example_of_the_guide_is_a_valid_experiment() {
    let guide = include_str!("../../../docs/writing-an-experiment.md");
    let example = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let entry = Entry::parse("docs/writing-an-experiment.md", example).unwrap();
    let plan = plan_entry(&entry, &Request::default(), &registry()).unwrap();
    // One comparison per place and cache state, each with the three methods.
    assert_eq!(plan.comparisons.len(), 6);
    assert!(plan.comparisons.iter().all(|comparison| comparison.variants.len() == 3));
}

//! Every shipped experiment plans against the manifests of the real drivers,
//! and says what its source reports.

use fathom_catalog::{DriverManifest, Entry, MethodRegistry, Plan, Request, SHIPPED, plan_entry};
use fathom_model::{CacheState, Place, Quantity};

fn registry() -> MethodRegistry {
    let manifests = [
        ("drivers/native/driver.toml", include_str!("../../../drivers/native/driver.toml")),
        ("drivers/cpp/driver.toml", include_str!("../../../drivers/cpp/driver.toml")),
        ("drivers/go/driver.toml", include_str!("../../../drivers/go/driver.toml")),
        ("drivers/java/driver.toml", include_str!("../../../drivers/java/driver.toml")),
        ("drivers/zig/driver.toml", include_str!("../../../drivers/zig/driver.toml")),
        ("drivers/python/driver.toml", include_str!("../../../drivers/python/driver.toml")),
        ("drivers/node/driver.toml", include_str!("../../../drivers/node/driver.toml")),
    ];
    let parsed = manifests.map(|(file, text)| DriverManifest::parse(file, text).expect("a valid manifest"));
    MethodRegistry::new(parsed.into()).expect("drivers of different names")
}

fn entry(name: &str) -> Entry {
    let shipped = SHIPPED.iter().find(|shipped| shipped.name == name).expect("a shipped name");
    Entry::parse(shipped.file, shipped.text).expect("a valid experiment")
}

fn plan(name: &str, quick: bool) -> Plan {
    let request = Request { quick, ..Request::default() };
    plan_entry(&entry(name), &request, &registry())
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
    assert_eq!(blocks, [512, 512, 1024, 1024, 4096, 4096, 8096, 8096]);
    assert_eq!(pread.comparisons[0].label, "1 GiB · 512 B blocks · fresh buffer · warm");
    assert_eq!(figures("open-pread-go", Quantity::Time), [1544.0, 1542.0, 1586.0, 1656.0]);
    assert_eq!(pread.reported[0].claims, ["pread is ~37-38 % faster than os.Open"]);
}

#[test]
fn the_small_file_write_up_stands_with_its_figures() {
    assert_eq!(figures("small-go", Quantity::Time), [321.0, 398.0, 472.0]);
    assert_eq!(figures("small-go", Quantity::Allocations), [1.0, 2.0, 3.0]);
    assert_eq!(figures("small-go", Quantity::AllocatedBytes), [128.0, 256.0, 512.0]);
    assert_eq!(figures("small-sweep", Quantity::Allocations), [1.2, 4.7, 5.1]);
    assert_eq!(figures("small-sweep", Quantity::CollectorPause), [18.0, 43.0, 59.0]);

    let mut swept = sizes(&plan("small-sweep", false));
    swept.sort_unstable();
    let hundreds = (1..=9).map(|n| n * 100);
    let mut expected: Vec<u64> = [12, 128, 512, 999].into_iter().chain(hundreds).collect();
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

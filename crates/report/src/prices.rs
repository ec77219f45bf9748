//! A list of prices as text: one table, grouped by call.

use crate::columns::{Column, Side, lines};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, TimeUnit, bytes, short_time, three_digits};
use crate::wrap::width;
use fathom_model::{CacheState, Estimate, Price, PriceList, Reading};

/// Widest condition that leaves the figures room on a page of 80 columns; a wider
/// one has a line of its own.
const CONDITION_COLUMNS: usize = 39;
/// A price whose ends are this far apart says little.
const WIDE: f64 = 4.0;
/// CPU time is told apart where it is this much less of the time that passes.
const CPU_SHARE: f64 = 0.9;

/// The list as text.
pub fn render_prices(list: &PriceList, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    head(&mut page, list);
    page.blank();
    let room = CONDITION_COLUMNS + page.width().saturating_sub(80);
    let mut table = lines(&columns(&list.prices, room)).into_iter();
    page.row("", &table.next().unwrap_or_default(), Ink::Faint);
    let mut call = "";
    for (price, line) in list.prices.iter().zip(table) {
        if price.condition.call != call {
            call = &price.condition.call;
            page.row("", call, Ink::Heading);
        }
        let condition = condition(price);
        if width(&condition) > room {
            page.paragraph(2, Ink::Plain, &condition);
        }
        page.row(&line, "", Ink::Plain);
    }
    page.blank();
    page.paragraph(
        0,
        Ink::Plain,
        "Each is the time that passes per call, without tracer, loop and clock: the median over fresh processes \
         with its 95 % interval in the same unit. cpu: the part spent on a CPU, where the rest is waiting. \
         n: processes, where not all. d: components of the path, 1 where none are said.",
    );
    if let Some(doubt) = doubt(&list.prices) {
        page.blank();
        page.paragraph(0, Ink::Plain, &doubt);
    }
    if !list.unpriced.is_empty() {
        page.blank();
        page.paragraph(0, Ink::Heading, "Not priced here");
    }
    for unpriced in &list.unpriced {
        page.hanging("  ", 4, Ink::Plain, &format!("{}: {}", unpriced.call, unpriced.reason));
    }
    page.finish()
}

/// Which prices are hardly known, and what to do.
fn doubt(prices: &[Price]) -> Option<String> {
    let is_wide = |price: &&Price| price.wall_ns.interval().is_some_and(|(low, high)| high > WIDE * low);
    let wide: Vec<String> = prices
        .iter()
        .filter(is_wide)
        .map(|price| format!("{} ({})", price.condition.call, condition(price)))
        .collect();
    (!wide.is_empty()).then(|| {
        format!(
            "Known only within a factor of more than {WIDE}: {}. The device answers unevenly, or other work was in the \
             way: take them again on a quiet machine, with more --seconds. Audits show the intervals of what they \
             price by these.",
            wide.join(", ")
        )
    })
}

fn head(page: &mut Page, list: &PriceList) {
    let processes = if list.processes == 1 { "process" } else { "processes" };
    let (created, version, count) = (&list.created, &list.fathom_version, list.processes);
    let seconds = list.noise.value().map_or_else(String::new, |noise| format!(" in {:.0} s", noise.seconds));
    page.fact("prices", &format!("{created}, Fathom {version}, {count} {processes}{seconds}"));
    let cpu = match &list.environment.cpu_model {
        Reading::Value(model) => model.clone(),
        Reading::Unavailable(reason) => format!("CPU unknown: {reason}"),
    };
    let environment = &list.environment;
    page.fact("machine", &format!("Linux {} {}, {cpu}", environment.kernel, environment.architecture));
    let options = match &list.place.mount_options {
        Reading::Value(options) => options.join(","),
        Reading::Unavailable(reason) => format!("mount options unknown: {reason}"),
    };
    let device = match &list.place.device {
        Reading::Value(device) => device.name.clone(),
        Reading::Unavailable(reason) => reason.clone(),
    };
    page.fact("place", &format!("{} on {} ({options}), {device}", list.place.place, list.place.file_system));
    if let Reading::Value(floors) = &list.floors {
        let null = three_digits(floors.null_call_ns.median);
        page.fact("bound", &format!("a call that does nothing took {null} ns"));
    }
}

fn columns(prices: &[Price], room: usize) -> [Column; 5] {
    let each = |cell: &dyn Fn(&Price) -> String| prices.iter().map(cell).collect::<Vec<_>>();
    let most = prices.iter().map(|price| price.wall_ns.forks).max().unwrap_or(0);
    let short = |price: &Price| Some(condition(price)).filter(|text| width(text) <= room).unwrap_or_default();
    let conditions = Column { side: Side::Left, ..Column::right("", each(&short)) };
    let ranges = each(&|price| range(&price.wall_ns));
    [
        conditions,
        Column::right("time", each(&|price| short_time(price.wall_ns.value))),
        Column::beside("95 %", ranges).aligned_at('–'),
        Column::right("cpu", each(&cpu)),
        Column::right("n", each(&|price| few(price, most))),
    ]
}

fn condition(price: &Price) -> String {
    let condition = &price.condition;
    let mut text = condition.errno().map_or_else(String::new, |errno| format!("{errno}: "));
    if let Some(size) = condition.size_bytes {
        text = format!("{text}{}, ", bytes(size));
    }
    if let Some(depth) = condition.path_components.filter(|&depth| depth > 1) {
        text = format!("{text}d {depth}, ");
    }
    text.push_str(&condition.form.to_string());
    if condition.cache == Some(CacheState::Cold) {
        text.push_str(", cold");
    }
    let text = text.trim_end_matches([' ', ',', ':']);
    if text.is_empty() { "-".to_owned() } else { text.to_owned() }
}

/// In the unit of the value.
fn range(estimate: &Estimate) -> String {
    let unit = TimeUnit::shared(&[estimate.value]).ns();
    match estimate.interval() {
        Some((low, high)) => format!("{}–{}", three_digits(low / unit), three_digits(high / unit)),
        None => NONE.to_owned(),
    }
}

/// Only where it says something: where part of the time was waiting.
fn cpu(price: &Price) -> String {
    let waits = price.cpu_ns.value < CPU_SHARE * price.wall_ns.value;
    if waits { short_time(price.cpu_ns.value) } else { String::new() }
}

fn few(price: &Price, most: u32) -> String {
    if price.wall_ns.forks == most { String::new() } else { price.wall_ns.forks.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{CallCondition, CallForm, Unpriced, call_form};
    use fathom_testkit::{directory_place, environment, estimate, floors, quiet_noise};

    fn price(condition: CallCondition, wall: f64, cpu: f64) -> Price {
        let around = |value: f64| estimate(value, Some((value * 0.98, value * 1.03)), 10);
        Price { condition, wall_ns: around(wall), cpu_ns: around(cpu) }
    }

    fn list() -> PriceList {
        let open = CallCondition::new("openat", call_form::READ_ONLY);
        let read = CallCondition::new("pread64", call_form::ONE_BY_ONE).sized(4096);
        let missing = price(open.failing("ENOENT").deep(16), 853.0, 853.0);
        let cold = Price {
            wall_ns: estimate(190_694.0, None, 3),
            ..price(read.cached(CacheState::Cold), 190_694.0, 63_512.0)
        };
        let plain = price(CallCondition::new("getppid", call_form::PLAIN), 108.2, 108.1);
        PriceList {
            schema_version: 1,
            fathom_version: "0.1.0".into(),
            created: "2026-11-01T12:00:00Z".into(),
            environment: environment(),
            floors: Reading::Value(floors()),
            noise: Reading::Value(quiet_noise(9.0)),
            place: directory_place("/home"),
            processes: 10,
            prices: vec![plain, missing, cold],
            unpriced: vec![Unpriced {
                call: "major-fault".into(),
                reason: "a file system in memory is never cold".into(),
            }],
        }
    }

    #[test]
    fn prices_stand_below_their_call_and_fit_80_columns() {
        let text = render_prices(&list(), &TextOptions::default());
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let after = |call: &str| text.split(&format!("\n{call}\n")).nth(1).unwrap().lines().next().unwrap();
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(after("getppid")), ["-", "108", "ns", "106–111"]);
        assert_eq!(words(after("openat")), ["ENOENT:", "d", "16,", "O_RDONLY", "853", "ns", "836–879"]);
        let cold = "4 KiB, one by one, POSIX_FADV_RANDOM, cold";
        assert_eq!(words(after("pread64")).join(" "), cold);
        assert!(text.contains(" 191 µs "), "{text}");
        assert!(text.contains("major-fault: a file system in memory is never cold"), "{text}");
        assert!(text.contains("10 processes in 9 s\n"), "{text}");
        let unknown = PriceList { noise: Reading::unavailable("not looked at"), ..list() };
        assert!(render_prices(&unknown, &TextOptions::default()).contains("10 processes\n"));
    }

    #[test]
    fn wide_figures_still_fit() {
        let wide = |wall: f64| Price {
            wall_ns: estimate(wall, Some((wall / 50.0, wall * 9.0)), 9),
            ..price(CallCondition::new("fsync", call_form::MADV_SEQUENTIAL), wall, wall / 3.0)
        };
        let prices = [99_999.0, 99_999_999.0, 12_345.0, 7.25].map(wide).to_vec();
        let text = render_prices(&PriceList { prices, ..list() }, &TextOptions::default());
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("100.0 ms") || text.contains("100 ms"), "{text}");
    }

    #[test]
    fn what_is_hardly_known_is_named() {
        let with_ends = |what: CallForm, low, high| Price {
            wall_ns: estimate(65_600.0, Some((low, high)), 10),
            ..price(CallCondition::new("fdatasync", what), 65_600.0, 14_000.0)
        };
        let even = with_ends(call_form::CLEAN, 60_000.0, 70_000.0);
        let prices = vec![even, with_ends(call_form::ONE_DIRTY_PAGE, 6_000.0, 3_999_000.0)];
        let text = render_prices(&PriceList { prices, ..list() }, &TextOptions::default());
        assert!(
            text.contains("Known only within a factor of more than 4: fdatasync (with one dirty page)."),
            "{text}"
        );
        assert!(!render_prices(&list(), &TextOptions::default()).contains("Known only"));
    }

    #[test]
    fn an_empty_list_is_no_crash() {
        let empty = PriceList { prices: Vec::new(), unpriced: Vec::new(), ..list() };
        assert!(!render_prices(&empty, &TextOptions::default()).contains("Not priced"));
    }
}

//! Lists of sizes: single ones, and ranges by step or by factor.

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::size::{format_size, size_at};
use crate::toml_reader::{Item, TableReader};
use toml::de::DeValue;

/// More sizes than anybody would wait for.
const SIZES_MAX: usize = 200;

/// One size: `"4 KiB"`, or a whole number of bytes.
pub(crate) fn read_size(item: &Item<'_>) -> Result<Located<u64>, CatalogError> {
    match item.value() {
        DeValue::Integer(_) => item.whole_number(0, u64::MAX),
        DeValue::String(_) => {
            let text = item.text()?;
            Ok(Located::new(size_at(&text.value, &text.origin)?, &text.origin))
        }
        _ => Err(item.wrong_type("a size like \"4 KiB\"")),
    }
}

/// A list of sizes and ranges of sizes, each size once.
pub(crate) fn read_sizes(item: &Item<'_>, kind: &'static str) -> Result<Vec<Located<u64>>, CatalogError> {
    let mut sizes = Vec::new();
    for element in item.list()? {
        match element.value() {
            DeValue::Table(_) => sizes.extend(read_sweep(&element)?),
            _ => sizes.push(read_size(&element)?),
        }
    }
    each_once(sizes, kind)
}

/// A range: `{ from = "1 KiB", to = "1 MiB", factor = 2 }`, or with `step`.
/// `to` belongs to it when the steps meet it.
pub(crate) fn read_sweep(item: &Item<'_>) -> Result<Vec<Located<u64>>, CatalogError> {
    let sizes = item.table(|table| {
        let from = read_size(&table.require("from")?)?.value;
        let to = read_size(&table.require("to")?)?.value;
        let advance = read_advance(table)?;
        walk(from, to, &advance, table.origin())
    })?;
    Ok(sizes.into_iter().map(|size| Located::new(size, &item.origin())).collect())
}

/// How a range goes on.
enum Advance {
    Step(u64),
    Factor(u64),
}

fn read_advance(table: &TableReader<'_>) -> Result<Advance, CatalogError> {
    match (table.take("step"), table.take("factor")) {
        (Some(step), None) => Ok(Advance::Step(read_size(&step)?.value)),
        (None, Some(factor)) => Ok(Advance::Factor(factor.whole_number(2, 1 << 32)?.value)),
        (Some(_), Some(factor)) => {
            Err(CatalogError::new(&factor.origin(), Problem::Exclusive("step", "factor"), None))
        }
        (None, None) => Err(CatalogError::new(
            table.origin(),
            Problem::BadSweep("it has neither `step` nor `factor`"),
            Some("add `step = \"100 B\"` or `factor = 2`".to_owned()),
        )),
    }
}

fn walk(from: u64, to: u64, advance: &Advance, origin: &Origin) -> Result<Vec<u64>, CatalogError> {
    let fail = |why| Err(CatalogError::new(origin, Problem::BadSweep(why), None));
    if from > to {
        return fail("`from` is larger than `to`");
    }
    let mut sizes = vec![from];
    let mut last = from;
    loop {
        let next = match advance {
            Advance::Step(step) => last.checked_add(*step),
            Advance::Factor(factor) => last.checked_mul(*factor),
        };
        match next.filter(|&next| next <= to) {
            None => return Ok(sizes),
            Some(next) if next == last => return fail("it does not advance"),
            Some(_) if sizes.len() == SIZES_MAX => return fail("it has more than 200 sizes"),
            Some(next) => {
                sizes.push(next);
                last = next;
            }
        }
    }
}

/// Refuses a size that stands in the list before.
pub(crate) fn each_once(
    sizes: Vec<Located<u64>>,
    kind: &'static str,
) -> Result<Vec<Located<u64>>, CatalogError> {
    let repeated =
        sizes.iter().enumerate().find(|(at, size)| sizes[..*at].iter().any(|s| s.value == size.value));
    match repeated {
        Some((_, size)) => Err(size.error(Problem::Repeated(kind, format_size(size.value)), None)),
        None => Ok(sizes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walked(from: u64, to: u64, advance: &Advance) -> Result<Vec<u64>, String> {
        walk(from, to, advance, &Origin::Unstated).map_err(|error| error.to_string())
    }

    #[test]
    fn the_end_belongs_to_a_range_that_meets_it() {
        assert_eq!(walked(100, 300, &Advance::Step(100)), Ok(vec![100, 200, 300]));
        assert_eq!(walked(100, 299, &Advance::Step(100)), Ok(vec![100, 200]));
        assert_eq!(walked(1024, 8192, &Advance::Factor(2)), Ok(vec![1024, 2048, 4096, 8192]));
        assert_eq!(walked(7, 7, &Advance::Step(1)), Ok(vec![7]));
    }

    #[test]
    fn a_range_that_never_ends_is_refused() {
        assert!(walked(5, 9, &Advance::Step(0)).unwrap_err().contains("does not advance"));
        assert!(walked(0, 9, &Advance::Factor(2)).unwrap_err().contains("does not advance"));
        assert!(walked(9, 5, &Advance::Step(1)).unwrap_err().contains("larger than"));
        assert!(walked(0, u64::MAX, &Advance::Step(1)).unwrap_err().contains("more than 200"));
        assert_eq!(walked(u64::MAX - 1, u64::MAX, &Advance::Factor(2)), Ok(vec![u64::MAX - 1]));
    }
}

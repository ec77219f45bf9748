//! The CPUs that run at all, whoever may use them.

use crate::source;
use fathom_model::Reading;

const ONLINE: &str = "/sys/devices/system/cpu/online";

/// How many there are; 1 where the kernel does not tell.
pub fn online_cpus() -> usize {
    online().map_or(1, |cpus| cpus.len().max(1))
}

/// Their numbers.
pub(crate) fn online() -> Result<Vec<usize>, String> {
    match source::text(ONLINE) {
        Reading::Value(text) => parse(&text).ok_or_else(|| format!("{ONLINE}: {text}")),
        Reading::Unavailable(reason) => Err(reason),
    }
}

/// `0-3,5`.
fn parse(list: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for range in list.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        cpus.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_ones() {
        assert_eq!(parse("0-3,5"), Some(vec![0, 1, 2, 3, 5]));
        assert_eq!(parse("0"), Some(vec![0]));
        assert_eq!(parse(""), None);
        assert!(online().unwrap().contains(&0));
    }
}

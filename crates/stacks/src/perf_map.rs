//! Names of code made at run time, from the text of a `perf-PID.map`: a line per
//! function, `start size name`, numbers in hexadecimal.

use std::collections::BTreeMap;

/// The functions by where they begin.
#[derive(Debug, Default)]
pub struct PerfMap(BTreeMap<u64, Function>);

#[derive(Debug)]
struct Function {
    end: u64,
    name: String,
}

impl PerfMap {
    /// Reads a map. Memory is used again: a later line replaces those it overlaps.
    /// What is no line of a map is passed over.
    pub fn parse(text: &str) -> Self {
        let mut map = Self::default();
        for (start, function) in text.lines().filter_map(line) {
            map.forget(start, function.end);
            map.0.insert(start, function);
        }
        map
    }

    /// The function that an address belongs to.
    pub fn name(&self, address: u64) -> Option<&str> {
        let (_, function) = self.0.range(..=address).next_back()?;
        (address < function.end).then_some(function.name.as_str())
    }

    fn forget(&mut self, start: u64, end: u64) {
        while let Some((&other, function)) = self.0.range(..end).next_back() {
            if function.end <= start {
                break;
            }
            self.0.remove(&other);
        }
    }
}

fn line(text: &str) -> Option<(u64, Function)> {
    let mut words = text.splitn(3, ' ');
    let mut number = || {
        let word = words.next()?;
        // JDK 17 writes `0x`, the others do not.
        u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
    };
    let (start, bytes) = (number()?, number()?);
    let name = words.next()?.trim().to_owned();
    let end = start.checked_add(bytes).filter(|end| *end > start)?;
    (!name.is_empty()).then_some((start, Function { end, name }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_runtime() {
        let map = PerfMap::parse(
            "0x00007fb808ec7180 0x0000000000000078 void java.lang.Object.<init>()\n\
             2a0c1000 40 JS:~read file:///a b.js:1:2\n\
             nonsense\n\
             10 0 nothing\n",
        );
        assert_eq!(map.name(0x7fb8_08ec_7180), Some("void java.lang.Object.<init>()"));
        assert_eq!(map.name(0x7fb8_08ec_71f7), Some("void java.lang.Object.<init>()"));
        assert_eq!(map.name(0x7fb8_08ec_71f8), None);
        assert_eq!(map.name(0x2a0c_1001), Some("JS:~read file:///a b.js:1:2"));
        assert_eq!(map.name(0x10), None);
    }

    #[test]
    fn memory_that_was_used_again_has_its_later_name() {
        let map = PerfMap::parse("100 10 a\n110 10 b\n120 10 c\n108 20 d\n");
        assert_eq!(map.name(0x100), None);
        assert_eq!(map.name(0x108), Some("d"));
        assert_eq!(map.name(0x127), Some("d"));
        assert_eq!(map.name(0x12f), None);
        let map = PerfMap::parse("100 10 a\n200 10 b\n");
        assert_eq!((map.name(0x100), map.name(0x200)), (Some("a"), Some("b")));
    }
}

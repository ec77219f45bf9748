//! Colors of methods: the language gives the hue, and the method its shade and
//! its marker. The same method looks the same all over a report.

use fathom_model::{MethodId, Record};
use std::collections::BTreeMap;

/// Shades of one hue, from dark to light, and then again from the first.
pub(crate) const SHADES: u8 = 3;
/// Markers and dashes, and then again from the first.
pub(crate) const MARKERS: u8 = 4;

/// What a method looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeriesStyle {
    pub(crate) hue: Hue,
    /// 0 to `SHADES` - 1.
    pub(crate) shade: u8,
    /// 0 to `MARKERS` - 1.
    pub(crate) marker: u8,
}

/// The color of a language. Told apart by readers with any of the usual kinds
/// of color vision; never the only sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hue {
    Native,
    Cpp,
    Go,
    Java,
    Zig,
    Python,
    Node,
    /// A driver that somebody brought.
    Other,
    /// No language: the machine, the device.
    Machine,
}

impl Hue {
    /// Every hue.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 9] = [
        Self::Native,
        Self::Cpp,
        Self::Go,
        Self::Java,
        Self::Zig,
        Self::Python,
        Self::Node,
        Self::Other,
        Self::Machine,
    ];

    /// The hue of a driver: `java@17` has that of `java`.
    pub(crate) fn of_driver(driver: &str) -> Self {
        match driver.split('@').next().unwrap_or(driver) {
            "native" => Self::Native,
            "cpp" => Self::Cpp,
            "go" => Self::Go,
            "java" => Self::Java,
            "zig" => Self::Zig,
            "python" => Self::Python,
            "node" => Self::Node,
            _ => Self::Other,
        }
    }

    /// Its name in a style sheet.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Cpp => "cpp",
            Self::Go => "go",
            Self::Java => "java",
            Self::Zig => "zig",
            Self::Python => "python",
            Self::Node => "node",
            Self::Other => "other",
            Self::Machine => "machine",
        }
    }
}

impl SeriesStyle {
    /// What belongs to the machine and to no method.
    pub(crate) const MACHINE: Self = Self { hue: Hue::Machine, shade: 0, marker: 0 };
}

/// What every method of a report looks like.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    styles: BTreeMap<MethodId, SeriesStyle>,
}

impl Palette {
    /// The methods of these records, in the order of their names.
    pub(crate) fn of(records: &[&Record]) -> Self {
        let mut styles = BTreeMap::new();
        let comparisons = records.iter().flat_map(|record| &record.experiments).flat_map(|e| &e.comparisons);
        for variant in comparisons.flat_map(|comparison| &comparison.variants) {
            styles.insert(variant.method.clone(), SeriesStyle::MACHINE);
        }
        let mut used: BTreeMap<Hue, u8> = BTreeMap::new();
        for (method, style) in &mut styles {
            let hue = Hue::of_driver(&method.driver);
            let number = used.entry(hue).or_default();
            *style = SeriesStyle { hue, shade: *number % SHADES, marker: *number / SHADES % MARKERS };
            *number = (*number + 1) % (SHADES * MARKERS);
        }
        Self { styles }
    }

    /// What a method looks like.
    pub(crate) fn style(&self, method: &MethodId) -> SeriesStyle {
        let unknown = SeriesStyle { hue: Hue::of_driver(&method.driver), shade: 0, marker: 0 };
        self.styles.get(method).copied().unwrap_or(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, sweep};

    #[test]
    fn a_method_has_the_hue_of_its_language_and_looks_like_no_other() {
        let (one, two) = (complete(), sweep());
        let palette = Palette::of(&[&one, &two]);
        assert!(palette.styles.len() > 4);
        for (method, style) in &palette.styles {
            assert_eq!(style.hue, Hue::of_driver(&method.driver));
            let alike = palette.styles.values().filter(|other| *other == style).count();
            assert_eq!(alike, 1, "{method} shares its style");
        }
        assert_eq!(Hue::of_driver("java@25"), Hue::Java);
        assert_eq!(palette, Palette::of(&[&two, &one]), "the order of records changes nothing");
    }
}

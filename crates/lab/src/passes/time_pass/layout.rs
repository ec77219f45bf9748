//! Which driver processes a comparison needs, and which method of which
//! process each arm is. Pure.

use fathom_model::{Arm, ArmKind, CacheState, Operation, Parameters, Setting, Variant};

/// A driver process to be started in each fork: methods of one runtime on the
/// same files share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seat {
    pub(crate) driver: String,
    pub(crate) operation: Operation,
    pub(crate) place: usize,
    pub(crate) cache: CacheState,
    pub(crate) parameters: Parameters,
    /// Method names; the same name may stand twice (the A/A control).
    pub(crate) methods: Vec<String>,
}

/// The seats and arms of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) seats: Vec<Seat>,
    pub(crate) arms: Vec<Arm>,
    /// For each arm, which of its seat's methods it is.
    pub(crate) methods: Vec<usize>,
}

impl Layout {
    /// Lays out `variants`, the control of the `baseline`, and for warm
    /// comparisons the loop of each seat. (A cold sample is one operation: its
    /// loop is below the clock's own cost; where an experiment fixes how many there
    /// are, they are a program's run, loop and all.)
    pub(crate) fn of(variants: &[Variant], baseline: usize) -> Self {
        let mut layout = Self { seats: Vec::new(), arms: Vec::new(), methods: Vec::new() };
        for (index, variant) in variants.iter().enumerate() {
            layout.add(ArmKind::Variant(index), variant, &variant.method.name);
        }
        if let Some(variant) = variants.get(baseline) {
            layout.add(ArmKind::Control, variant, &variant.method.name);
        }
        let firsts: Vec<usize> = (0..layout.seats.len())
            .filter_map(|seat| layout.arms.iter().position(|arm| arm.seat == seat))
            .filter(|&arm| arm < variants.len())
            .collect();
        for first in firsts {
            let variant = &variants[first];
            let fixed = variant.parameters.settings.number(Setting::Operations) > 0;
            if variant.cache == CacheState::Warm && variant.method.name != "null" && !fixed {
                layout.add(ArmKind::Loop(first), variant, "null");
            }
        }
        layout
    }

    fn add(&mut self, kind: ArmKind, variant: &Variant, method: &str) {
        let same = |seat: &Seat| {
            seat.driver == variant.method.driver
                && seat.operation == variant.operation
                && seat.place == variant.place
                && seat.cache == variant.cache
                && seat.parameters == variant.parameters
        };
        let seat = self.seats.iter().position(same).unwrap_or_else(|| {
            self.seats.push(Seat {
                driver: variant.method.driver.clone(),
                operation: variant.operation,
                place: variant.place,
                cache: variant.cache,
                parameters: variant.parameters.clone(),
                methods: Vec::new(),
            });
            self.seats.len() - 1
        });
        self.arms.push(Arm { kind, seat });
        self.methods.push(self.seats[seat].methods.len());
        self.seats[seat].methods.push(method.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Content, DataSet};

    fn variant(method: &str, place: usize, cache: CacheState) -> Variant {
        Variant {
            method: method.parse().unwrap(),
            operation: Operation::OpenClose,
            place,
            cache,
            parameters: Parameters::new(DataSet { files: 1, size_bytes: 1, content: Content::Random }, 1),
        }
    }

    #[test]
    fn methods_of_one_driver_share_a_process_and_places_do_not() {
        let warm = CacheState::Warm;
        let variants =
            [variant("go:os.Open", 0, warm), variant("native:open", 0, warm), variant("go:os.Open", 1, warm)];
        let layout = Layout::of(&variants, 1);
        let methods: Vec<_> = layout.seats.iter().map(|seat| seat.methods.join(" ")).collect();
        assert_eq!(methods, ["os.Open null", "open open null", "os.Open null"]);
        let kinds: Vec<_> = layout.arms.iter().map(|arm| (arm.kind, arm.seat)).collect();
        assert_eq!(kinds[3], (ArmKind::Control, 1));
        assert_eq!(kinds[4..], [(ArmKind::Loop(0), 0), (ArmKind::Loop(1), 1), (ArmKind::Loop(2), 2)]);
        assert_eq!(layout.methods, [0, 0, 0, 1, 1, 2, 1]);
    }

    #[test]
    fn a_cold_comparison_has_no_loop() {
        let layout = Layout::of(&[variant("go:os.Open", 0, CacheState::Cold)], 0);
        assert_eq!(layout.arms.len(), 2);
    }

    #[test]
    fn a_method_named_twice_has_two_arms() {
        let twice =
            [variant("native:open", 0, CacheState::Warm), variant("native:open", 0, CacheState::Warm)];
        let layout = Layout::of(&twice, 0);
        assert_eq!(layout.seats[0].methods, ["open", "open", "open", "null"]);
    }
}

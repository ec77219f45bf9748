//! The compressed numbers of `HotSpot`'s tables (`UNSIGNED5`), and its tables of lines.

/// Which form of `UNSIGNED5` a version writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberForm {
    /// Up to 19: as in Pack200.
    Pack,
    /// From 20 on: no byte is zero.
    WithoutZero,
}

/// Reads numbers one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a> {
    bytes: &'a [u8],
    form: NumberForm,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(bytes: &'a [u8], form: NumberForm) -> Self {
        Self { bytes, form }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// Up to five digits of base 64, the least significant first; a byte below `low` is the last one.
    pub(super) fn unsigned(&mut self) -> Option<u32> {
        let excluded = u32::from(self.form == NumberForm::WithoutZero);
        let low = 192 - excluded;
        let mut sum = 0_u32;
        for digit in 0..5 {
            let value = u32::from(self.byte()?).checked_sub(excluded)?;
            sum = sum.wrapping_add(value.wrapping_shl(6 * digit));
            if value < low {
                break;
            }
        }
        Some(sum)
    }

    pub(super) fn signed(&mut self) -> Option<i32> {
        let value = self.unsigned()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }
}

/// The pairs of a bytecode's index and the line that begins there; `None` of what is no such table.
pub(super) fn lines(table: &[u8], form: NumberForm, code_bytes: u32) -> Option<Vec<(u32, u32)>> {
    let mut numbers = Numbers::new(table, form);
    let (mut index, mut line) = (0_i32, 0_i32);
    let mut lines = Vec::new();
    loop {
        match numbers.byte()? {
            0 => return Some(lines),
            0xff => {
                index = index.checked_add(numbers.signed()?)?;
                line = line.checked_add(numbers.signed()?)?;
            }
            pair => {
                index = index.checked_add(i32::from(pair >> 3))?;
                line = line.checked_add(i32::from(pair & 7))?;
            }
        }
        let at = u32::try_from(index).ok().filter(|index| *index < code_bytes)?;
        lines.push((at, u32::from(u16::try_from(line).ok()?)));
    }
}

/// The line of a bytecode: that which begins last before it, as the virtual machine finds it.
pub(super) fn line_of(lines: &[(u32, u32)], index: u32) -> Option<u32> {
    let mut best = None;
    for (at, line) in lines {
        if *at == index {
            return Some(*line);
        }
        if *at < index && best.is_none_or(|(best, _)| *at >= best) {
            best = Some((*at, *line));
        }
    }
    best.map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_both_forms() {
        for (form, bytes, number) in [
            (NumberForm::Pack, &[0][..], Some(0)),
            (NumberForm::Pack, &[191], Some(191)),
            (NumberForm::Pack, &[192, 0], Some(192)),
            (NumberForm::Pack, &[193, 1], Some(257)),
            (NumberForm::Pack, &[192], None),
            (NumberForm::WithoutZero, &[1], Some(0)),
            (NumberForm::WithoutZero, &[191], Some(190)),
            (NumberForm::WithoutZero, &[192, 1], Some(191)),
            (NumberForm::WithoutZero, &[192, 2], Some(255)),
            (NumberForm::WithoutZero, &[0], None),
        ] {
            assert_eq!(Numbers::new(bytes, form).unsigned(), number, "{form:?} {bytes:?}");
        }
        assert_eq!(Numbers::new(&[1], NumberForm::Pack).signed(), Some(-1));
        assert_eq!(Numbers::new(&[2], NumberForm::Pack).signed(), Some(1));
    }

    #[test]
    fn a_line_is_that_which_began_last() {
        // Index 0 at line 3, 5 at 4, by an escape 10 at 2, then the end.
        let table = [0xff, 0, 6, 5 << 3 | 1, 0xff, 10, 3, 0];
        let lines = lines(&table, NumberForm::Pack, 20).unwrap();
        assert_eq!(lines, [(0, 3), (5, 4), (10, 2)]);
        for (index, line) in [(0, 3), (4, 3), (5, 4), (9, 4), (10, 2), (19, 2)] {
            assert_eq!(line_of(&lines, index), Some(line), "{index}");
        }
        assert_eq!(super::lines(&table, NumberForm::Pack, 10), None, "beyond the code");
        assert_eq!(super::lines(&table[..7], NumberForm::Pack, 20), None, "without an end");
        assert_eq!(line_of(&[], 3), None);
    }
}

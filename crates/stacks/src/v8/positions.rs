//! V8's tables of positions: which place of the source belongs to a place of bytecode or of instructions.

/// A place in the source of a function, or of one that was inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    /// The letter of the script.
    pub(super) letter: u64,
    /// Which of the inlined calls it belongs to.
    pub(super) inlined: Option<u64>,
}

impl Position {
    /// As V8 packs one: whether it is elsewhere, the letter, the inlined call, each counted from -1.
    pub(super) fn unpack(packed: u64) -> Option<Self> {
        let letter = ((packed >> 1) & ((1 << 30) - 1)).checked_sub(1)?;
        let inlined = ((packed >> 31) & 0xffff).checked_sub(1);
        (packed & 1 == 0).then_some(Self { letter, inlined })
    }
}

/// The position of the last entry whose place is not behind `place`. An entry is two numbers, each the
/// difference to the one before; of the first the sign says something else.
pub(super) fn at(table: &[u8], place: u64) -> Option<Position> {
    let mut numbers = Numbers(table);
    let (mut now, mut packed, mut found) = (-1_i64, 0_i64, None);
    while !numbers.0.is_empty() {
        let step = numbers.signed()?;
        now = now.checked_add(if step >= 0 { step } else { -(step + 1) })?;
        packed = packed.checked_add(numbers.signed()?)?;
        if now > place.cast_signed() {
            break;
        }
        found = Some(packed);
    }
    Position::unpack(found?.cast_unsigned())
}

/// The bytecode that a place of instructions was made of, which follow its order. `lengths` has of each
/// the bytes of its instructions, the first those before any; `sizes` the bytes of each opcode.
pub(super) fn bytecode_of(
    lengths: &[u8],
    bytecode: &[u8],
    sizes: &[Vec<u8>; 3],
    instruction: u64,
) -> Option<u64> {
    let mut numbers = Numbers(lengths);
    let mut end = numbers.unsigned()?;
    let (mut offset, mut next) = (None, 0);
    while end < instruction {
        offset = Some(next);
        next += opcode_bytes(bytecode.get(next..)?, sizes)?;
        end = end.checked_add(numbers.unsigned()?)?;
    }
    offset.and_then(|offset| u64::try_from(offset).ok())
}

/// The bytes of an instruction of bytecode, with what widens it.
fn opcode_bytes(bytecode: &[u8], sizes: &[Vec<u8>; 3]) -> Option<usize> {
    let size = |scale: usize, opcode: u8| {
        sizes[scale].get(usize::from(opcode)).map(|bytes| usize::from(*bytes)).filter(|bytes| *bytes > 0)
    };
    match *bytecode {
        [0 | 2, opcode, ..] => Some(1 + size(1, opcode)?),
        [1 | 3, opcode, ..] => Some(1 + size(2, opcode)?),
        [opcode, ..] => size(0, opcode),
        [] => None,
    }
}

/// Numbers of seven bits a byte, the lowest first.
pub(super) struct Numbers<'a>(pub(super) &'a [u8]);

impl Numbers<'_> {
    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(numbers: &[i64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in numbers {
            let mut rest = (number << 1 ^ (number >> 63)).cast_unsigned();
            while rest > 0x7f {
                bytes.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
                rest >>= 7;
            }
            bytes.push(u8::try_from(rest).unwrap());
        }
        bytes
    }

    #[test]
    fn positions_are_those_at_or_before_a_place() {
        // Places 0 (an expression), 30 (a statement) and 44: letters 9, 100 and 40, the last one of what
        // was inlined first.
        let inlined = 1 << 31;
        let table = signed(&[-2, 10 << 1, 30, (101 << 1) - (10 << 1), -15, inlined + (41 << 1) - (101 << 1)]);
        let letter = |place| at(&table, place).map(|position| (position.letter, position.inlined));
        assert_eq!(letter(0), Some((9, None)));
        assert_eq!(letter(29), Some((9, None)));
        assert_eq!(letter(30), Some((100, None)));
        assert_eq!(letter(44), Some((40, Some(0))));
        assert_eq!(letter(9999), Some((40, Some(0))));
    }

    #[test]
    fn what_is_no_table_has_no_positions() {
        assert_eq!(at(&[], 5), None);
        assert_eq!(at(&[0x80, 0x80], 5), None, "a number without an end");
        assert_eq!(at(&signed(&[30, 20]), 5), None, "before the first");
        assert_eq!(Position::unpack(0), None, "none");
        assert_eq!(Position::unpack(3), None, "elsewhere");
    }

    #[test]
    fn instructions_belong_to_the_bytecode_they_were_made_of() {
        // Opcode 4 has one byte, 5 three, and 6 when widened after 0.
        let sizes = [vec![1, 1, 1, 1, 1, 3], vec![1, 1, 1, 1, 1, 5], vec![1, 1, 1, 1, 1, 9]];
        let bytecode = [4, 5, 0, 0, 0, 5, 0, 0, 0, 0, 4];
        let lengths = [10, 6, 20, 30, 2];
        let of = |instruction| bytecode_of(&lengths, &bytecode, &sizes, instruction);
        assert_eq!(of(10), None, "before the first");
        assert_eq!(of(11), Some(0));
        assert_eq!(of(16), Some(0));
        assert_eq!(of(17), Some(1));
        assert_eq!(of(37), Some(4), "widened");
        assert_eq!(of(67), Some(10));
        assert_eq!(of(69), None, "behind the last");
    }
}

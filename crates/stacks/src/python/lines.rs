//! Lines of instructions, from the tables that `CPython` keeps of each code.

/// How a table of lines is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineForm {
    /// 3.8 and 3.9 (`co_lnotab`): pairs of bytes, how far instructions and lines go on.
    Increments,
    /// 3.10 (PEP 626): the same of ranges, and -128 for those without a line.
    Ranges,
    /// From 3.11 on (`Objects/locations.md`): entries of a code, a length and what that code needs.
    Locations,
}

impl LineForm {
    /// The line of the instruction at a byte of its code; `None` of one that has none.
    pub(super) fn line(self, table: &[u8], first: i64, at: u64) -> Option<u32> {
        let line = match self {
            Self::Increments => increments(table, first, at),
            Self::Ranges => ranges(table, first, at)?,
            Self::Locations => locations(table, first, at)?,
        };
        u32::try_from(line).ok().filter(|line| *line > 0)
    }
}

fn increments(table: &[u8], first: i64, at: u64) -> i64 {
    let (mut reached, mut line) = (0, first);
    for pair in table.chunks_exact(2) {
        reached += u64::from(pair[0]);
        if reached > at {
            break;
        }
        line += i64::from(pair[1].cast_signed());
    }
    line
}

fn ranges(table: &[u8], first: i64, at: u64) -> Option<i64> {
    const WITHOUT: i8 = -128;
    let (mut end, mut line) = (0, first);
    for pair in table.chunks_exact(2) {
        let step = pair[1].cast_signed();
        line += if step == WITHOUT { 0 } else { i64::from(step) };
        end += u64::from(pair[0]);
        if at < end {
            return (step != WITHOUT).then_some(line);
        }
    }
    None
}

fn locations(table: &[u8], first: i64, at: u64) -> Option<i64> {
    const FIRST_OF_ENTRY: u8 = 0x80;
    /// The code of an entry that has no line, those that have a number, and those that have a small one.
    const WITHOUT: u8 = 15;
    const WITH_NUMBER: [u8; 2] = [13, 14];
    const NEXT_LINES: std::ops::RangeInclusive<u8> = 10..=12;
    let (mut end, mut line) = (0, first);
    let mut rest = table;
    while let [start, others @ ..] = rest {
        let code = start >> 3 & 15;
        if WITH_NUMBER.contains(&code) {
            line += signed_number(others);
        } else if NEXT_LINES.contains(&code) {
            line += i64::from(code - NEXT_LINES.start());
        }
        end += 2 * (u64::from(start & 7) + 1);
        if at < end {
            return (code != WITHOUT).then_some(line);
        }
        let length = others.iter().take_while(|byte| **byte & FIRST_OF_ENTRY == 0).count();
        rest = &others[length..];
    }
    None
}

/// Six bits a byte, the lowest first; the lowest bit of all is the sign.
fn signed_number(bytes: &[u8]) -> i64 {
    const GOES_ON: u8 = 0x40;
    let (mut number, mut shift) = (0_u64, 0);
    for byte in bytes.iter().take(10) {
        number |= u64::from(byte & 0x3f) << shift;
        shift += 6;
        if byte & GOES_ON == 0 {
            break;
        }
    }
    let size = (number >> 1).cast_signed();
    if number & 1 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By line, the bytes of `f.__code__` at which its instructions begin, as `dis.findlinestarts` of the
    /// version gives them, and the table itself.
    fn check(form: LineForm, first: i64, table: &[u8], starts: &[(u64, u32)]) {
        for (index, (at, line)) in starts.iter().enumerate() {
            assert_eq!(form.line(table, first, *at), Some(*line), "{form:?} at {at}");
            if let Some((next, _)) = starts.get(index + 1) {
                assert_eq!(form.line(table, first, next - 2), Some(*line), "{form:?} before {next}");
            }
        }
    }

    // One function with a call over lines and a comprehension.
    #[test]
    fn lines_are_those_of_the_interpreter_itself() {
        // 3.9.18
        let table = [0, 1, 4, 1, 12, 1, 4, 4, 2, 252, 8, 5, 6, 1, 2, 255, 6, 3];
        check(
            LineForm::Increments,
            2,
            &table,
            &[(0, 3), (4, 4), (16, 5), (20, 9), (22, 5), (30, 10), (36, 11), (38, 10), (44, 13)],
        );
        // 3.10.13
        let table = [4, 1, 12, 1, 4, 1, 2, 4, 8, 252, 6, 5, 2, 1, 6, 255, 4, 3];
        check(
            LineForm::Ranges,
            2,
            &table,
            &[(0, 3), (4, 4), (16, 5), (20, 9), (22, 5), (30, 10), (36, 11), (38, 10), (44, 13)],
        );
        // 3.11.7
        let table = [
            128, 0, 216, 8, 9, 128, 65, 221, 13, 18, 144, 49, 137, 88, 140, 88, 240, 0, 5, 5, 17, 240, 0, 5,
            5, 17, 136, 1, 216, 8, 9, 136, 97, 240, 8, 0, 15, 16, 241, 9, 4, 15, 16, 241, 0, 4, 9, 17, 136,
            1, 136, 1, 240, 10, 1, 9, 21, 240, 0, 1, 9, 21, 216, 18, 19, 240, 3, 1, 9, 21, 241, 0, 1, 9, 21,
            244, 0, 1, 9, 21, 128, 65, 240, 6, 0, 12, 13, 128, 72,
        ];
        check(
            LineForm::Locations,
            2,
            &table,
            &[(0, 2), (2, 3), (6, 4), (40, 5), (44, 9), (46, 5), (58, 10), (62, 11), (64, 10), (82, 13)],
        );
        // 3.13.0
        let table = [
            128, 0, 216, 8, 9, 128, 65, 220, 13, 18, 144, 49, 142, 88, 136, 1, 216, 8, 9, 240, 8, 0, 15, 16,
            241, 9, 4, 15, 16, 241, 0, 4, 9, 17, 138, 1, 241, 3, 0, 14, 22, 241, 14, 0, 19, 20, 243, 3, 1, 9,
            21, 217, 18, 19, 136, 81, 243, 3, 0, 10, 11, 217, 18, 19, 240, 3, 0, 5, 6, 240, 0, 1, 9, 21, 240,
            6, 0, 12, 13, 128, 72, 249, 242, 7, 1, 9, 21,
        ];
        check(
            LineForm::Locations,
            2,
            &table,
            &[
                (0, 2),
                (2, 3),
                (6, 4),
                (34, 5),
                (36, 9),
                (38, 5),
                (52, 4),
                (56, 11),
                (60, 10),
                (68, 11),
                (74, 10),
                (82, 11),
                (86, 10),
                (90, 13),
            ],
        );
    }

    #[test]
    fn what_has_no_line_has_none() {
        assert_eq!(LineForm::Ranges.line(&[2, 1, 2, 128, 2, 1], 5, 2), None);
        assert_eq!(LineForm::Ranges.line(&[2, 1, 2, 128, 2, 1], 5, 4), Some(7));
        assert_eq!(LineForm::Ranges.line(&[2, 1], 5, 2), None, "beyond the end");
        // An instruction without a line, and one that steps back by 64 lines.
        assert_eq!(LineForm::Locations.line(&[0x80 | 15 << 3, 0x80 | 13 << 3, 0x41, 2], 70, 0), None);
        assert_eq!(LineForm::Locations.line(&[0x80 | 15 << 3, 0x80 | 13 << 3, 0x41, 2], 70, 2), Some(6));
        assert_eq!(LineForm::Locations.line(&[], 70, 0), None);
    }
}

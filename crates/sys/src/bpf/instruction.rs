//! One instruction of the kernel's virtual machine, in the form that bpf(2) takes.

/// An instruction as the kernel's headers have it (`struct bpf_insn`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    code: u8,
    registers: u8,
    offset: i16,
    immediate: i32,
}

/// Where the kernel puts a map's address: the source register of a wide load that names a map.
const MAP_BY_DESCRIPTOR: u8 = 1;
const WIDE_LOAD: u8 = 0x18;

impl Instruction {
    /// An instruction of this code with the registers 0 to 10.
    pub const fn new(code: u8, destination: u8, source: u8, offset: i16, immediate: i32) -> Self {
        Self { code, registers: (destination & 15) | (source & 15) << 4, offset, immediate }
    }

    /// The two instructions that load a 64-bit number.
    pub const fn wide(destination: u8, value: u64) -> [Self; 2] {
        Self::halves(destination, 0, value)
    }

    /// The two instructions that load the address of a map.
    pub fn map(destination: u8, map: &super::Map) -> [Self; 2] {
        Self::halves(destination, MAP_BY_DESCRIPTOR, u64::from(map.descriptor_number()))
    }

    /// The same with another distance of a jump.
    #[must_use]
    pub const fn with_offset(self, offset: i16) -> Self {
        Self { offset, ..self }
    }

    const fn halves(destination: u8, source: u8, value: u64) -> [Self; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "the halves are taken apart on purpose")]
        let (low, high) = (value as u32, (value >> 32) as u32);
        [
            Self::new(WIDE_LOAD, destination, source, 0, low.cast_signed()),
            Self::new(0, 0, 0, 0, high.cast_signed()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_number_stands_in_two_halves() {
        let [first, second] = Instruction::wide(3, 0xffff_ffff_0000_0005);
        assert_eq!((first.immediate, second.immediate, first.registers), (5, -1, 3));
    }
}

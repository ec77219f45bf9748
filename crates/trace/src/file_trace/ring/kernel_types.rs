//! The kernel's own description of its types (BTF): where fields stand in this kernel's
//! structures, and by which numbers tracepoints are known. Whoever may load programs may
//! read it; it needs no tracefs and no headers.

use fathom_sys::bpf::KernelDescription;

const MAGIC: u64 = 0xeb9f;

/// Types by number, as their file has them.
#[derive(Debug)]
pub(super) struct KernelTypes<'a> {
    bytes: &'a [u8],
    strings: usize,
    /// Where every [`STRIDE`]th type stands, from the first, which is number 1: a few are looked for among
    /// a hundred thousand.
    places: Vec<u32>,
    /// How many there are.
    types: u32,
    /// Structures and definitions in their order.
    named: Vec<Named>,
}

const STRIDE: u32 = 16;

/// A type that can be looked for by its name.
#[derive(Debug)]
struct Named {
    kind: Kind,
    /// Its first bytes, by which most others are told apart without a look at their names.
    head: u64,
    /// Where its name stands.
    name: u32,
    id: u32,
}

/// The kinds that are looked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Structure,
    Definition,
}

/// Numbers of kinds in the file.
const INTEGER: u64 = 1;
const STRUCTURE: u64 = 4;
const UNION: u64 = 5;
const TYPEDEF: u64 = 8;
/// Those that stand before the type that is meant: typedef, volatile, const, restrict, type tag.
const WRAPPERS: [u64; 5] = [8, 9, 10, 11, 18];
const POINTER: u64 = 2;
const DECLARED_FUNCTION: u64 = 12;
const FUNCTION: u64 = 13;
const TYPE_BYTES: usize = 12;
const MEMBER_BYTES: usize = 12;

/// The description of the running kernel's types, or why there is none.
pub(super) fn description() -> Result<KernelDescription, String> {
    let file = KernelDescription::FILE;
    KernelDescription::of_running_kernel().map_err(|error| format!("{file}: {error}"))
}

impl<'a> KernelTypes<'a> {
    /// The types of a description, or why they are not known.
    pub(super) fn of(description: &'a KernelDescription) -> Result<Self, String> {
        Self::parse(description.bytes())
            .ok_or_else(|| format!("{} is in a form that is not known", KernelDescription::FILE))
    }

    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let header = |at| number(bytes, at, 4);
        if number(bytes, 0, 2)? != MAGIC {
            return None;
        }
        let after_header = header(4)?;
        let types = usize::try_from(after_header + header(8)?).ok()?;
        let end = types + usize::try_from(header(12)?).ok()?;
        let strings = usize::try_from(after_header + header(16)?).ok()?;
        let (mut places, mut named, mut at, mut id) = (Vec::new(), Vec::new(), types, 1);
        while at < end {
            if (id - 1) % STRIDE == 0 {
                places.push(u32::try_from(at).ok()?);
            }
            let (kind, members) = kind_of(bytes, at)?;
            if kind == STRUCTURE || kind == TYPEDEF {
                let kind = if kind == STRUCTURE { Kind::Structure } else { Kind::Definition };
                let name = name_place(bytes, strings, at)?;
                let head = head(bytes.get(name..)?);
                named.push(Named { kind, head, name: u32::try_from(name).ok()?, id });
            }
            at += TYPE_BYTES + further_bytes(kind, members)?;
            id += 1;
        }
        Some(Self { bytes, strings, places, types: id - 1, named })
    }

    /// The number of the first type of this kind and name.
    fn find(&self, kind: Kind, name: &str) -> Option<u32> {
        // With its end, as it stands in the description.
        let ended = [name.as_bytes(), &[0]].concat();
        let head = head(&ended);
        let is_named = |one: &&Named| {
            let text = self.bytes.get(one.name as usize..);
            one.head == head && one.kind == kind && text.is_some_and(|text| text.starts_with(&ended))
        };
        self.named.iter().find(is_named).map(|one| one.id)
    }

    /// The number by which the arguments of a tracepoint are known, and how many there are.
    pub(super) fn tracepoint(&self, name: &str) -> Result<(u32, usize), String> {
        let definition = format!("btf_trace_{name}");
        let missing = || format!("this kernel has no tracepoint {name}");
        let id = self.find(Kind::Definition, &definition).ok_or_else(missing)?;
        let pointer = self.meant(id).ok_or_else(missing)?;
        let function = self.meant(self.target(pointer).ok_or_else(missing)?).ok_or_else(missing)?;
        let (kind, parameters) = kind_of(self.bytes, self.place(function).ok_or_else(missing)?)
            .filter(|(kind, _)| *kind == FUNCTION)
            .ok_or_else(missing)?;
        debug_assert_eq!(kind, FUNCTION);
        // The first is the tracepoint's own.
        Ok((id, parameters.saturating_sub(1)))
    }

    /// Where a field of a structure stands, in bytes; a path of fields goes into those of
    /// the field before.
    pub(super) fn offset(&self, structure: &str, fields: &[&str]) -> Result<i16, String> {
        let missing = || format!("this kernel's {structure} has no field {}", fields.join("."));
        let known = self.find(Kind::Structure, structure);
        let mut id = known.ok_or_else(|| format!("this kernel has no struct {structure}"))?;
        let mut offset = 0;
        for field in fields {
            let (within, of) = self.field(id, field.as_bytes()).ok_or_else(missing)?;
            offset += within;
            id = of;
        }
        i16::try_from(offset).map_err(|_| missing())
    }

    /// The number of a structure's type.
    pub(super) fn structure(&self, name: &str) -> Option<u32> {
        self.find(Kind::Structure, name)
    }

    /// The number of a function's type, by which programs call it; all types are gone through.
    pub(super) fn function(&self, name: &str) -> Option<u32> {
        let mut at = usize::try_from(*self.places.first()?).ok()?;
        for id in 1..=self.types {
            let (kind, members) = kind_of(self.bytes, at)?;
            if kind == DECLARED_FUNCTION && text(self.bytes, self.strings, at)? == name.as_bytes() {
                return Some(id);
            }
            at += TYPE_BYTES + further_bytes(kind, members)?;
        }
        None
    }

    /// How many bytes an integer field of a structure has.
    pub(super) fn bytes(&self, structure: &str, field: &str) -> Result<u64, String> {
        let known = self.find(Kind::Structure, structure);
        let of = known.and_then(|id| self.field(id, field.as_bytes()));
        let at = of.and_then(|(_, of)| self.place(self.meant(of)?));
        let integer = at.filter(|at| kind_of(self.bytes, *at).is_some_and(|(kind, _)| kind == INTEGER));
        integer
            .and_then(|at| number(self.bytes, at + 8, 4))
            .ok_or_else(|| format!("this kernel's {structure} has no integer {field}"))
    }

    /// Offset in bytes and type of a field, also of one in a structure without a name.
    fn field(&self, id: u32, name: &[u8]) -> Option<(u64, u32)> {
        let at = self.place(self.meant(id)?)?;
        let (kind, members) = kind_of(self.bytes, at)?;
        if kind != STRUCTURE && kind != UNION {
            return None;
        }
        let has_bit_fields = number(self.bytes, at + 4, 4)? >> 31 != 0;
        (0..members).find_map(|member| {
            let at = at + TYPE_BYTES + member * MEMBER_BYTES;
            let of = u32::try_from(number(self.bytes, at + 4, 4)?).ok()?;
            let bits = number(self.bytes, at + 8, 4)?;
            let offset = if has_bit_fields { bits & 0xff_ffff } else { bits } / 8;
            match text(self.bytes, self.strings, at)? {
                found if found == name => Some((offset, of)),
                [] => self.field(of, name).map(|(within, of)| (offset + within, of)),
                _ => None,
            }
        })
    }

    /// A type without what stands before it.
    fn meant(&self, mut id: u32) -> Option<u32> {
        while WRAPPERS.contains(&kind_of(self.bytes, self.place(id)?)?.0) {
            id = self.target(id)?;
        }
        Some(id)
    }

    fn target(&self, id: u32) -> Option<u32> {
        let at = self.place(id)?;
        let (kind, _) = kind_of(self.bytes, at)?;
        let points = kind == POINTER || WRAPPERS.contains(&kind);
        u32::try_from(number(self.bytes, at + 8, 4).filter(|_| points)?).ok()
    }

    fn place(&self, id: u32) -> Option<usize> {
        let before = id.checked_sub(1).filter(|before| *before < self.types)?;
        let mut at = usize::try_from(*self.places.get(usize::try_from(before / STRIDE).ok()?)?).ok()?;
        for _ in 0..before % STRIDE {
            let (kind, members) = kind_of(self.bytes, at)?;
            at += TYPE_BYTES + further_bytes(kind, members)?;
        }
        Some(at)
    }
}

fn kind_of(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let info = number(bytes, at + 4, 4)?;
    Some((info >> 24 & 0x1f, usize::try_from(info & 0xffff).ok()?))
}

/// Bytes that stand behind a type before the next one begins, by its kind: whatever its members, and for
/// each of them. A look into a table, as a hundred thousand types in no order make a branch guess wrong.
const FURTHER_BYTES: [Option<(u8, u8)>; 32] = {
    let mut bytes = [None; 32];
    let mut kind = 1;
    while kind <= 19 {
        bytes[kind] = Some(match kind {
            // Integer, variable, tag of a declaration.
            1 | 14 | 17 => (4, 0),
            // Array.
            3 => (12, 0),
            // Structure, union, section, enumeration of 64 bits.
            4 | 5 | 15 | 19 => (0, 12),
            // Enumeration, function's type.
            6 | 13 => (0, 8),
            _ => (0, 0),
        });
        kind += 1;
    }
    bytes
};

fn further_bytes(kind: u64, members: usize) -> Option<usize> {
    let (whole, each) = FURTHER_BYTES.get(usize::try_from(kind).ok()?).copied()??;
    Some(usize::from(whole) + usize::from(each) * members)
}

/// The name of the type or member that begins at a place.
fn text(bytes: &[u8], strings: usize, at: usize) -> Option<&[u8]> {
    bytes.get(name_place(bytes, strings, at)?..)?.split(|byte| *byte == 0).next()
}

fn name_place(bytes: &[u8], strings: usize, at: usize) -> Option<usize> {
    Some(strings + usize::try_from(number(bytes, at, 4)?).ok()?)
}

/// As much of a name as fits; what follows its end is not of it.
fn head(text: &[u8]) -> u64 {
    let head = match text.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text.iter().rev().fold(0, |head, byte| head << 8 | u64::from(*byte)),
    };
    // The lowest bit of each byte that is zero, exact up to the first.
    let zeros = head.wrapping_sub(0x0101_0101_0101_0101) & !head & 0x8080_8080_8080_8080;
    match zeros {
        0 => head,
        _ => head & ((1 << (zeros.trailing_zeros() / 8 * 8)) - 1),
    }
}

fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + size)?;
    Some(match *bytes {
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_where_the_kernels_interface_has_them() {
        let Ok(description) = description() else {
            eprintln!("skipped: this kernel does not describe its types");
            return;
        };
        let types = KernelTypes::of(&description).unwrap();
        // Structures of the interface never change.
        assert_eq!(types.offset("open_how", &["resolve"]), Ok(16));
        assert_eq!(types.offset("io_uring_cqe", &["res"]), Ok(8));
        #[cfg(target_arch = "x86_64")]
        assert_eq!(types.offset("pt_regs", &["orig_ax"]), Ok(120));
        assert_eq!((types.bytes("open_how", "flags"), types.bytes("io_uring_cqe", "res")), (Ok(8), Ok(4)));
        assert!(types.bytes("task_struct", "signal").is_err(), "a pointer");
        assert!(types.offset("open_how", &["nothing"]).unwrap_err().contains("open_how has no field"));
        assert!(types.offset("no_such_thing", &[]).is_err());
        // A field of a structure inside another, and one of a union without a name.
        assert!(types.offset("task_struct", &["se", "exec_start"]).unwrap() > 0);
        assert_eq!(types.tracepoint("sys_exit").unwrap().1, 2);
        assert!(types.tracepoint("sys_leave").is_err());
        assert!(types.structure("open_how").is_some() && types.structure("no_such_thing").is_none());
        assert!(types.function("schedule").is_some() && types.function("no_such_thing").is_none());
    }

    #[test]
    fn a_head_ends_with_the_name() {
        for (text, expected) in [
            (&b"int\0fine_and_more"[..], "int"),
            (b"a_name_of_twelve\0", "a_name_o"),
            (b"seven_b\0x", "seven_b"),
            (b"\0abcdefgh", ""),
            (b"\x01\0\x01aaaaaaa", "\x01"),
            (b"end", "end"),
            (b"", ""),
        ] {
            let mut bytes = [0; 8];
            bytes[..expected.len()].copy_from_slice(expected.as_bytes());
            assert_eq!(head(text), u64::from_le_bytes(bytes), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_description_of_types_is_refused() {
        assert!(KernelTypes::parse(b"\x9f\xeb").is_none());
        assert!(KernelTypes::parse(&[0; 100]).is_none());
    }
}

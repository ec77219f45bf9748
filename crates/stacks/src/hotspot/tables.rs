//! What a `HotSpot` virtual machine publishes of its own structures: offsets of fields, sizes of types and
//! constants, by name, in tables that its library exports for the serviceability agent.

use super::memory::Reader;
use crate::script_runtime::exports;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

/// Beyond these a table is none.
const MOST_ENTRIES: usize = 1 << 14;
const LONGEST_ENTRY_BYTES: u64 = 256;
const PAGE_BYTES: usize = 4096;
/// No name of a field is longer.
const LONGEST_NAME_BYTES: usize = 160;

/// The exported symbols, in the order of `HotSpotImage`.
const EXPORTS: [&str; 14] = [
    "gHotSpotVMStructs",
    "gHotSpotVMStructEntryArrayStride",
    "gHotSpotVMStructEntryTypeNameOffset",
    "gHotSpotVMStructEntryFieldNameOffset",
    "gHotSpotVMStructEntryOffsetOffset",
    "gHotSpotVMStructEntryAddressOffset",
    "gHotSpotVMTypes",
    "gHotSpotVMTypeEntryArrayStride",
    "gHotSpotVMTypeEntryTypeNameOffset",
    "gHotSpotVMTypeEntrySizeOffset",
    "gHotSpotVMIntConstants",
    "gHotSpotVMIntConstantEntryArrayStride",
    "gHotSpotVMIntConstantEntryNameOffset",
    "gHotSpotVMIntConstantEntryValueOffset",
];

/// Where a library of `HotSpot`'s exports its tables, by its own addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HotSpotImage([u64; EXPORTS.len()]);

/// The tables as they were read.
#[derive(Debug, Default)]
pub(super) struct Tables {
    fields: HashMap<(String, String), Field>,
    sizes: HashMap<String, u64>,
    constants: HashMap<String, u32>,
}

#[derive(Debug, Clone, Copy)]
struct Field {
    offset: u64,
    /// Of a static one.
    address: u64,
}

impl HotSpotImage {
    /// That of a file which may be `HotSpot`'s library; `None` where it exports no tables.
    pub(crate) fn read(file: &File, path: &Path) -> Option<Self> {
        if !path.file_name()?.to_str()?.starts_with("libjvm.so") {
            return None;
        }
        let found = exports(file, EXPORTS)?;
        let mut addresses = [0; EXPORTS.len()];
        for (address, found) in addresses.iter_mut().zip(found) {
            *address = found?;
        }
        Some(Self(addresses))
    }
}

impl Tables {
    /// Reads those of a process whose library was moved by so much.
    pub(super) fn read(image: HotSpotImage, moved_by: u64, memory: Reader<'_>) -> Option<Self> {
        let mut tables = Self::default();
        let mut texts = Texts { memory, pages: HashMap::new(), known: HashMap::new() };
        let export = |number: usize| memory.word(image.0[number].wrapping_add(moved_by));
        let entries = |number: usize| Entries::read(memory, export(number)?, export(number + 1)?);

        let structs = entries(0)?;
        let (type_at, field_at, offset_at, address_at) = (export(2)?, export(3)?, export(4)?, export(5)?);
        for entry in structs.0.chunks_exact(structs.1) {
            let type_name = texts.at(word_at(entry, type_at)?);
            let field_name = texts.at(word_at(entry, field_at)?);
            let (Some(type_name), Some(field_name)) = (type_name, field_name) else { break };
            let field = Field { offset: word_at(entry, offset_at)?, address: word_at(entry, address_at)? };
            tables.fields.insert((type_name, field_name), field);
        }
        let types = entries(6)?;
        let (name_at, size_at) = (export(8)?, export(9)?);
        for entry in types.0.chunks_exact(types.1) {
            let Some(name) = texts.at(word_at(entry, name_at)?) else { break };
            tables.sizes.insert(name, word_at(entry, size_at)?);
        }
        let constants = entries(10)?;
        let (name_at, value_at) = (export(12)?, export(13)?);
        for entry in constants.0.chunks_exact(constants.1) {
            let Some(name) = texts.at(word_at(entry, name_at)?) else { break };
            let value = entry.get(usize::try_from(value_at).ok()?..)?.first_chunk::<4>()?;
            tables.constants.insert(name, u32::from_ne_bytes(*value));
        }
        Some(tables)
    }

    /// Where a field lies in its structure.
    pub(super) fn offset(&self, type_name: &str, field: &str) -> Option<u64> {
        self.field(type_name, field).map(|field| field.offset).filter(|offset| *offset < 1 << 16)
    }

    /// Where a static field lies.
    pub(super) fn address(&self, type_name: &str, field: &str) -> Option<u64> {
        self.field(type_name, field).map(|field| field.address).filter(|address| *address != 0)
    }

    /// The size of a type.
    pub(super) fn size(&self, type_name: &str) -> Option<u64> {
        self.sizes.get(type_name).copied().filter(|size| *size < 1 << 16)
    }

    pub(super) fn constant(&self, name: &str) -> Option<u32> {
        self.constants.get(name).copied()
    }

    fn field(&self, type_name: &str, field: &str) -> Option<Field> {
        self.fields.get(&(type_name.to_owned(), field.to_owned())).copied()
    }
}

/// The bytes of a table as far as they could be read, and the size of an entry.
struct Entries(Vec<u8>, usize);

impl Entries {
    fn read(memory: Reader<'_>, start: u64, stride: u64) -> Option<Self> {
        let stride = usize::try_from(stride).ok().filter(|_| (16..=LONGEST_ENTRY_BYTES).contains(&stride))?;
        let mut bytes = Vec::new();
        // The end is an entry without names; where memory ends, the table has ended before.
        while bytes.len() < MOST_ENTRIES * stride {
            let address = start.checked_add(bytes.len() as u64)?;
            let Some(more) = memory.bytes(address, stride * 16) else { break };
            bytes.extend_from_slice(&more);
            let is_end = |entry: &[u8]| entry[..stride.min(16)].iter().all(|byte| *byte == 0);
            if more.chunks_exact(stride).any(is_end) {
                break;
            }
        }
        Some(Self(bytes, stride))
    }
}

fn word_at(entry: &[u8], offset: u64) -> Option<u64> {
    entry.get(usize::try_from(offset).ok()?..)?.first_chunk::<8>().map(|word| u64::from_ne_bytes(*word))
}

/// Names, which many entries share.
struct Texts<'a> {
    memory: Reader<'a>,
    pages: HashMap<u64, Option<Vec<u8>>>,
    known: HashMap<u64, Option<String>>,
}

impl Texts<'_> {
    fn at(&mut self, address: u64) -> Option<String> {
        if address == 0 {
            return None;
        }
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let text = self.read(address);
        self.known.insert(address, text.clone());
        text
    }

    fn read(&mut self, address: u64) -> Option<String> {
        let mut text = Vec::new();
        while text.len() < LONGEST_NAME_BYTES {
            let next = address.checked_add(text.len() as u64)?;
            let page = next & !(PAGE_BYTES as u64 - 1);
            let memory = self.memory;
            let bytes = self.pages.entry(page).or_insert_with(|| memory.bytes(page, PAGE_BYTES));
            let rest = bytes.as_ref()?.get(usize::try_from(next - page).ok()?..)?;
            let end = rest.iter().position(|byte| *byte == 0);
            text.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            if end.is_some() {
                return String::from_utf8(text).ok();
            }
        }
        None
    }
}

#[cfg(test)]
impl HotSpotImage {
    /// One whose tables all begin there.
    pub(super) fn at(address: u64) -> Self {
        Self([address; EXPORTS.len()])
    }
}

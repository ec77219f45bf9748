//! Where things stand in V8's objects and frames, by the symbols `v8dbg_…` that its file exports and, for
//! what these leave out, by its version.

use super::operations::{Operations, operations};
use object::read::{Object, ObjectSection, ObjectSymbol, ReadRef};
use std::collections::HashMap;

/// All that V8 publishes begins so.
const PREFIX: &str = "v8dbg_";
const VERSION: [&str; 2] = ["_ZN2v88internal7Version6major_E", "_ZN2v88internal7Version6minor_E"];
const BYTECODE_SIZES: &str = "_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE";
/// Versions of V8 whose frames were compared, line by line, with what they say themselves.
const KNOWN: [(u32, u32); 7] = [(10, 2), (10, 8), (11, 3), (11, 8), (12, 4), (12, 9), (13, 6)];
/// What is the same in all of them, and what the code here relies on.
const FIXED: [(&str, u64); 17] = [
    ("SmiTag", 0),
    ("SmiTagMask", 1),
    ("SmiShiftSize", 31),
    ("HeapObjectTag", 1),
    ("HeapObjectTagMask", 3),
    ("FirstNonstringType", 128),
    ("StringRepresentationMask", 7),
    ("StringEncodingMask", 8),
    ("OneByteStringTag", 8),
    ("SeqStringTag", 0),
    ("ConsStringTag", 1),
    ("ExternalStringTag", 2),
    ("SlicedStringTag", 3),
    ("ThinStringTag", 5),
    ("off_fp_context", (-8_i64).cast_unsigned()),
    ("off_fp_function", (-16_i64).cast_unsigned()),
    ("off_fp_bytecode_array", (-32_i64).cast_unsigned()),
];

/// Offsets are of fields in their object, types are the instance types of maps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) instance_type: u64,
    /// The first and the last of those of functions.
    pub(super) functions: [u16; 2],
    pub(super) shared_type: u16,
    pub(super) scope_info_type: u16,
    pub(super) script_type: u16,
    pub(super) interpreter_data_type: u16,
    pub(super) bytecode_array_type: u16,
    /// Arrays of bytes are of one of these.
    pub(super) byte_array_types: Vec<u16>,
    pub(super) function_shared: u64,
    pub(super) shared_name: u64,
    pub(super) shared_bytecode: u64,
    pub(super) shared_script: u64,
    /// The first number of a function's own, and how many bytes of them tell it from others.
    pub(super) shared_numbers: u64,
    pub(super) script_name: u64,
    pub(super) script_source: u64,
    pub(super) script_first_line: u64,
    pub(super) script_number: u64,
    /// In words behind the map: how many variables a scope has, and where they begin.
    pub(super) scope_variables: u64,
    pub(super) scope_first_variable: u64,
    pub(super) bytecode_positions: u64,
    pub(super) bytecode_data: u64,
    pub(super) code: CodeLayout,
    /// Of each opcode: its bytes, with narrow, wide and widest operands.
    pub(super) bytecode_sizes: [Vec<u8>; 3],
}

/// Code that was made of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CodeLayout {
    pub(super) code_type: u16,
    /// The object that holds the instructions: its type, and where they begin.
    pub(super) holder_type: u16,
    pub(super) holder_instructions: u64,
    /// Where it names the code that describes it; it is that itself where there is none.
    pub(super) holder_code: Option<u64>,
    pub(super) deoptimization: u64,
    pub(super) positions: u64,
    pub(super) flags: u64,
    pub(super) size: u64,
    pub(super) baseline: u32,
    pub(super) interpreted: u32,
    pub(super) literals_type: u16,
    /// In an array of what was inlined: how many functions, which ones, and from where.
    pub(super) inlined_count: u64,
    pub(super) literals: u64,
    pub(super) inlined_positions: u64,
    /// What Maglev keeps of its code.
    pub(super) operations: Option<&'static Operations>,
}

impl Layout {
    /// That of a file; `None` where it is not V8's, or the reason why it is not known.
    pub(super) fn read<'data, R: ReadRef<'data>>(
        file: &object::File<'data, R>,
    ) -> Option<Result<Self, String>> {
        let mut published = HashMap::new();
        let mut version = [None; 2];
        let mut sizes = None;
        for symbol in file.dynamic_symbols().filter(ObjectSymbol::is_definition) {
            let Ok(name) = symbol.name() else { continue };
            if let Some(name) = name.strip_prefix(PREFIX) {
                let value = number(file, symbol.address())?;
                published.insert(name.to_owned(), i64::from(value.cast_signed()).cast_unsigned());
            } else if let Some(part) = VERSION.iter().position(|known| *known == name) {
                version[part] = number(file, symbol.address());
            } else if name == BYTECODE_SIZES {
                sizes = bytes(file, symbol.address(), symbol.size());
            }
        }
        if published.is_empty() {
            return None;
        }
        if sizes.is_none() {
            let symbol = file.symbols().find(|symbol| symbol.name() == Ok(BYTECODE_SIZES));
            sizes = symbol.and_then(|symbol| bytes(file, symbol.address(), symbol.size()));
        }
        let [Some(major), Some(minor)] = version else {
            return Some(Err("the version of V8 is not exported".to_owned()));
        };
        if !KNOWN.contains(&(major, minor)) {
            return Some(Err(format!("the frames of V8 {major}.{minor} are not known")));
        }
        let published = Published { values: published, version: (major, minor) };
        Some(
            published.layout(&sizes.unwrap_or_default()).map_err(|missing| {
                format!("V8 {major}.{minor} does not publish {missing} as it is known here")
            }),
        )
    }
}

/// What a file publishes, by its name without the prefix.
struct Published {
    values: HashMap<String, u64>,
    version: (u32, u32),
}

impl Published {
    fn layout(&self, sizes: &[u8]) -> Result<Layout, String> {
        for (name, value) in FIXED {
            if self.get(name)? != value {
                return Err(name.to_owned());
            }
        }
        let first_function = self.instance_type("type_JSFunction__JS_FUNCTION_TYPE")?;
        let functions = match self.any(&["LastJSFunctionType"]) {
            Ok(last) => [first_function, u16::try_from(last).map_err(|_| "LastJSFunctionType")?],
            // Constructors of fifteen kinds come behind it.
            Err(_) => [first_function, first_function + 15],
        };
        let trusted = self.instance_type("type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE").ok();
        let has_wrapper = self.values.contains_key("class_BytecodeArray__wrapper__Tagged_BytecodeWrapper_");
        let mut byte_array_types = vec![self.instance_type("type_ByteArray__BYTE_ARRAY_TYPE")?];
        byte_array_types.extend(trusted);
        Ok(Layout {
            instance_type: self.get("class_Map__instance_type__uint16_t")?,
            functions,
            shared_type: self.instance_type("type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE")?,
            scope_info_type: self.instance_type("type_ScopeInfo__SCOPE_INFO_TYPE")?,
            script_type: self.instance_type("type_Script__SCRIPT_TYPE")?,
            interpreter_data_type: self.instance_type("type_InterpreterData__INTERPRETER_DATA_TYPE")?,
            bytecode_array_type: self.instance_type("type_BytecodeArray__BYTECODE_ARRAY_TYPE")?,
            byte_array_types,
            function_shared: self.get("class_JSFunction__shared__SharedFunctionInfo")?,
            shared_bytecode: 8,
            shared_name: self.any(&[
                "class_SharedFunctionInfo__name_or_scope_info__Object",
                "class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_",
                "class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_",
            ])?,
            shared_script: self.any(&[
                "class_SharedFunctionInfo__script_or_debug_info__HeapObject",
                "class_SharedFunctionInfo__script__Tagged_HeapObject_",
            ])?,
            shared_numbers: self.get("class_SharedFunctionInfo__length__uint16_t")?,
            script_name: self.get("class_Script__name__Object")?,
            script_source: self.get("class_Script__source__Object")?,
            script_first_line: self.get("class_Script__name__Object")? + 8,
            script_number: self.get("class_Script__line_ends__Object")? + 8,
            scope_variables: self.get("scopeinfo_idx_ncontextlocals")?,
            scope_first_variable: self.get("scopeinfo_idx_first_vars")?,
            // Behind its length: constants and handlers, later a wrapper.
            bytecode_positions: if has_wrapper { 24 } else { 32 },
            bytecode_data: self.get("class_BytecodeArray__data__uintptr_t")?,
            code: self.code()?,
            bytecode_sizes: match sizes.len() / 3 {
                count if count > 0 && sizes.len().is_multiple_of(3) => {
                    [0, 1, 2].map(|scale| sizes[scale * count..(scale + 1) * count].to_vec())
                }
                _ => [const { Vec::new() }; 3],
            },
        })
    }

    fn code(&self) -> Result<CodeLayout, String> {
        let code_type = self.instance_type("type_Code__CODE_TYPE")?;
        // The instructions are in an object of their own from 11 on, described by another.
        let has_holder = self.version.0 >= 11;
        let (holder_type, holder_instructions) = if has_holder {
            (
                self.instance_type("type_InstructionStream__INSTRUCTION_STREAM_TYPE")?,
                self.get("class_InstructionStream__instruction_start__uintptr_t")?,
            )
        } else {
            (code_type, self.get("class_Code__instruction_start__uintptr_t")?)
        };
        let (deoptimization, positions, flags, size) = match self.version {
            (10, _) => (16, 24, 48, 40),
            (11, 3) => (16, 24, 48, 56),
            (11, _) => (8, 16, 40, 44),
            (12, _) => (8, 16, 48, 52),
            _ => (8, 16, 52, 56),
        };
        if self.any(&["class_Code__flags__uint32_t"]).is_ok_and(|published| published != flags)
            || self.any(&["class_Code__instruction_size__int"]).is_ok_and(|published| published != size)
        {
            return Err("class_Code__flags__uint32_t".to_owned());
        }
        let literals_type = match self.version {
            (12, 9) | (13, _) => "type_TrustedWeakFixedArray__TRUSTED_WEAK_FIXED_ARRAY_TYPE",
            _ => "type_WeakFixedArray__WEAK_FIXED_ARRAY_TYPE",
        };
        let or = |name: &str, value: u64| self.any(&[name]).unwrap_or(value);
        Ok(CodeLayout {
            code_type,
            holder_type,
            holder_instructions,
            holder_code: has_holder.then_some(8),
            deoptimization,
            positions,
            flags,
            size,
            baseline: u32::try_from(self.get("CodeKindBaseline")?).map_err(|_| "CodeKindBaseline")?,
            interpreted: u32::try_from(self.get("CodeKindInterpretedFunction")?)
                .map_err(|_| "CodeKindInterpretedFunction")?,
            literals_type: self.instance_type(literals_type)?,
            inlined_count: or("DeoptimizationDataInlinedFunctionCountIndex", 1),
            literals: or("DeoptimizationDataLiteralArrayIndex", 2),
            inlined_positions: or("DeoptimizationDataInliningPositionsIndex", 7),
            operations: operations(self.version),
        })
    }

    fn get(&self, name: &str) -> Result<u64, String> {
        self.values.get(name).copied().ok_or_else(|| name.to_owned())
    }

    fn any(&self, names: &[&str]) -> Result<u64, String> {
        names.iter().find_map(|name| self.values.get(*name).copied()).ok_or_else(|| names[0].to_owned())
    }

    fn instance_type(&self, name: &str) -> Result<u16, String> {
        u16::try_from(self.get(name)?).map_err(|_| name.to_owned())
    }
}

/// The bytes that a file has at an address; zeros where it only reserves them.
fn bytes<'data, R: ReadRef<'data>>(
    file: &object::File<'data, R>,
    address: u64,
    length: u64,
) -> Option<Vec<u8>> {
    const MOST_BYTES: u64 = 1 << 12;
    let length = (0..=MOST_BYTES).contains(&length).then_some(length)?;
    let section = file.sections().find(|section| {
        let start = section.address();
        start != 0 && start <= address && address - start < section.size()
    })?;
    match section.kind() {
        object::SectionKind::UninitializedData => Some(vec![0; usize::try_from(length).ok()?]),
        _ => section.data_range(address, length).ok()?.map(<[u8]>::to_vec),
    }
}

fn number<'data, R: ReadRef<'data>>(file: &object::File<'data, R>, address: u64) -> Option<u32> {
    bytes(file, address, 4)?.first_chunk().map(|number| u32::from_ne_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(version: (u32, u32), other: &[(&str, u64)]) -> Published {
        let mut values: HashMap<String, u64> =
            FIXED.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        values.extend(other.iter().map(|(name, value)| ((*name).to_owned(), *value)));
        Published { values, version }
    }

    #[test]
    fn what_is_not_published_as_it_is_known_is_named() {
        let missing = published((11, 3), &[]).layout(&[]).unwrap_err();
        assert_eq!(missing, "type_JSFunction__JS_FUNCTION_TYPE");
        let other = published((11, 3), &[("SmiShiftSize", 30)]).layout(&[]).unwrap_err();
        assert_eq!(other, "SmiShiftSize");
    }

    #[test]
    fn code_is_laid_out_by_version_and_by_what_is_published() {
        let both = [
            ("type_Code__CODE_TYPE", 206),
            ("type_InstructionStream__INSTRUCTION_STREAM_TYPE", 210),
            ("class_InstructionStream__instruction_start__uintptr_t", 32),
            ("CodeKindBaseline", 10),
            ("CodeKindInterpretedFunction", 9),
            ("type_WeakFixedArray__WEAK_FIXED_ARRAY_TYPE", 247),
        ];
        let code = published((12, 4), &both).code().unwrap();
        assert_eq!((code.positions, code.flags, code.size), (16, 48, 52));
        let moved = [&both[..], &[("class_Code__flags__uint32_t", 52)]].concat();
        assert!(published((12, 4), &moved).code().is_err(), "another layout than the known one");
    }
}

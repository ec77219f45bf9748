//! Where the fields lie that lead from a frame to a line.

use super::compressed::NumberForm;
use super::memory::Reader;
use super::tables::Tables;

/// Of what every frame needs.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) method_const: u64,
    pub(super) const_pool: u64,
    pub(super) const_size: u64,
    pub(super) const_flags: u64,
    pub(super) const_code_size: u64,
    pub(super) const_name: u64,
    pub(super) const_number: u64,
    /// The bytes of a `ConstMethod` without its code.
    pub(super) const_bytes: u64,
    pub(super) has_lines: u32,
    pub(super) pool_holder: u64,
    pub(super) pool_source: u64,
    pub(super) pool_length: u64,
    pub(super) pool_bytes: u64,
    pub(super) class_name: u64,
    pub(super) class_loader_data: u64,
    pub(super) class_methods: u64,
    pub(super) loader: u64,
    pub(super) symbol_length: u64,
    pub(super) symbol_body: u64,
    /// The addresses of where its code begins and ends.
    pub(super) code_low: u64,
    pub(super) code_high: u64,
    /// The address of the pointer to the interpreter's code.
    pub(super) interpreter: u64,
    pub(super) queue_buffer: u64,
    pub(super) queue_limit: u64,
    /// Where what called into Java goes on.
    pub(super) call_stub_return: u64,
    pub(super) numbers: NumberForm,
    pub(super) compiled: Option<CompiledLayout>,
}

/// Of what compiled frames need besides.
#[derive(Debug, Clone)]
pub(super) struct CompiledLayout {
    /// The address of the pointer to the list of heaps.
    pub(super) heaps: u64,
    pub(super) list_length: u64,
    pub(super) list_data: u64,
    pub(super) heap_memory: u64,
    pub(super) heap_segments: u64,
    pub(super) heap_segment_bits: u64,
    pub(super) space_low: u64,
    pub(super) space_high: u64,
    pub(super) block_bytes: u64,
    pub(super) blob_bytes: u64,
    pub(super) blob_name: u64,
    pub(super) blob_size: u64,
    pub(super) blob_frame_words: u64,
    pub(super) blob_code: Place,
    pub(super) method: u64,
    pub(super) compile_number: u64,
    pub(super) original_return: u64,
    pub(super) deoptimized: Vec<Place>,
    pub(super) metadata: Place,
    pub(super) places: Place,
    pub(super) places_end: Place,
    pub(super) scopes: Place,
    pub(super) place_bytes: u64,
    pub(super) place_at: u64,
    pub(super) place_scope: u64,
}

/// How a part of a piece of compiled code is found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// A field holds its address.
    Address(u64),
    /// A field holds how far from the code's header it lies.
    FromHeader(u64),
    /// The first field holds an address, the second how far from there it lies.
    From(u64, u64),
}

impl Layout {
    /// That of a process; `None` where something is missing that every frame needs.
    pub(super) fn of(tables: &Tables, memory: Reader<'_>) -> Option<Self> {
        let at = |type_name: &str, field: &str| tables.offset(type_name, field);
        let version = memory.u32(tables.address("Abstract_VM_Version", "_vm_major_version")?)?;
        let (flags, has_lines) = match tables.constant("ConstMethodFlags::_misc_has_linenumber_table") {
            Some(bit) => (at("ConstMethod", "_flags._flags")?, bit),
            None => (at("ConstMethod", "_flags")?, tables.constant("ConstMethod::_has_linenumber_table")?),
        };
        Some(Self {
            method_const: at("Method", "_constMethod")?,
            const_pool: at("ConstMethod", "_constants")?,
            const_size: at("ConstMethod", "_constMethod_size")?,
            const_flags: flags,
            const_code_size: at("ConstMethod", "_code_size")?,
            const_name: at("ConstMethod", "_name_index")?,
            const_number: at("ConstMethod", "_method_idnum")?,
            const_bytes: tables.size("ConstMethod")?,
            has_lines,
            pool_holder: at("ConstantPool", "_pool_holder")?,
            pool_source: at("ConstantPool", "_source_file_name_index")?,
            pool_length: at("ConstantPool", "_length")?,
            pool_bytes: tables.size("ConstantPool")?,
            class_name: at("Klass", "_name")?,
            class_loader_data: at("Klass", "_class_loader_data")?,
            class_methods: at("InstanceKlass", "_methods")?,
            loader: at("ClassLoaderData", "_class_loader")?,
            symbol_length: at("Symbol", "_length")?,
            symbol_body: at("Symbol", "_body")?,
            code_low: tables.address("CodeCache", "_low_bound")?,
            code_high: tables.address("CodeCache", "_high_bound")?,
            interpreter: tables.address("AbstractInterpreter", "_code")?,
            queue_buffer: at("StubQueue", "_stub_buffer")?,
            queue_limit: at("StubQueue", "_buffer_limit")?,
            call_stub_return: memory.word(tables.address("StubRoutines", "_call_stub_return_address")?)?,
            numbers: if version < 20 { NumberForm::Pack } else { NumberForm::WithoutZero },
            compiled: CompiledLayout::of(tables),
        })
    }
}

impl CompiledLayout {
    fn of(tables: &Tables) -> Option<Self> {
        let at = |type_name: &str, field: &str| tables.offset(type_name, field);
        // What is common to compiled code stood in a type of its own up to 22.
        let common = |field: &str| at("nmethod", field).or_else(|| at("CompiledMethod", field));
        let immutable = |field: &str| Some(Place::From(common("_immutable_data")?, common(field)?));
        let from_header = |field: &str| common(field).map(Place::FromHeader);
        let deoptimized = [
            common("_deopt_handler_begin").map(Place::Address),
            common("_deopt_mh_handler_begin").map(Place::Address),
            from_header("_deopt_handler_offset"),
            from_header("_deopt_mh_handler_offset"),
        ];
        Some(Self {
            heaps: tables.address("CodeCache", "_heaps")?,
            list_length: at("GrowableArrayBase", "_len")?,
            list_data: at("GrowableArray<int>", "_data")?,
            heap_memory: at("CodeHeap", "_memory")?,
            heap_segments: at("CodeHeap", "_segmap")?,
            heap_segment_bits: at("CodeHeap", "_log2_segment_size")?,
            space_low: at("VirtualSpace", "_low")?,
            space_high: at("VirtualSpace", "_high")?,
            block_bytes: tables.size("HeapBlock")?,
            blob_bytes: tables.size("CodeBlob")?,
            blob_name: at("CodeBlob", "_name")?,
            blob_size: at("CodeBlob", "_size")?,
            blob_frame_words: at("CodeBlob", "_frame_size")?,
            blob_code: match at("CodeBlob", "_code_begin") {
                Some(begin) => Place::Address(begin),
                None => Place::FromHeader(at("CodeBlob", "_code_offset")?),
            },
            method: common("_method")?,
            compile_number: common("_compile_id")?,
            original_return: common("_orig_pc_offset")?,
            deoptimized: deoptimized.into_iter().flatten().collect(),
            metadata: match common("_metadata_offset") {
                Some(offset) => Place::FromHeader(offset),
                None => Place::From(at("CodeBlob", "_mutable_data")?, at("CodeBlob", "_relocation_size")?),
            },
            places: immutable("_scopes_pcs_offset").or_else(|| from_header("_scopes_pcs_offset"))?,
            places_end: immutable("_scopes_data_offset").or_else(|| from_header("_dependencies_offset"))?,
            scopes: immutable("_scopes_data_offset")
                .or_else(|| common("_scopes_data_begin").map(Place::Address))?,
            place_bytes: tables.size("PcDesc").filter(|size| *size >= 8)?,
            place_at: at("PcDesc", "_pc_offset")?,
            place_scope: at("PcDesc", "_scope_decode_offset")?,
        })
    }
}

impl Place {
    /// The address, of the code whose header lies there.
    pub(super) fn address(self, header: u64, memory: Reader<'_>) -> Option<u64> {
        let distance = |field: u64| {
            let distance = memory.u32(header.checked_add(field)?)?;
            Some(u64::from(distance)).filter(|distance| *distance < 1 << 31)
        };
        match self {
            Self::Address(field) => memory.word(header.checked_add(field)?),
            Self::FromHeader(field) => header.checked_add(distance(field)?),
            Self::From(base, field) => memory.word(header.checked_add(base)?)?.checked_add(distance(field)?),
        }
    }
}

#[cfg(test)]
impl Layout {
    /// As 17 has it on x86-64, without what only running code has.
    pub(super) fn of_17() -> Self {
        Self {
            method_const: 8,
            const_pool: 8,
            const_size: 24,
            const_flags: 28,
            const_code_size: 32,
            const_name: 34,
            const_number: 38,
            const_bytes: 48,
            has_lines: 1,
            pool_holder: 24,
            pool_source: 54,
            pool_length: 60,
            pool_bytes: 72,
            class_name: 24,
            class_loader_data: 152,
            class_methods: 408,
            loader: 8,
            symbol_length: 4,
            symbol_body: 6,
            code_low: 0,
            code_high: 0,
            interpreter: 0,
            queue_buffer: 8,
            queue_limit: 20,
            call_stub_return: 0x9000,
            numbers: NumberForm::Pack,
            compiled: None,
        }
    }
}

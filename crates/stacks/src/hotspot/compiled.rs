//! Compiled code: which piece of it holds an address, how large its frames are, and which methods, inlined
//! ones included, stand at a return address of it.

use super::compressed::Numbers;
use super::layout::{CompiledLayout, Layout};
use super::memory::Reader;
use super::methods::Method;
use super::{Check, JavaFrame};

/// Beyond these nothing is what it is taken for.
const MOST_HEAPS: u32 = 16;
const MOST_HOPS: usize = 1 << 12;
const LARGEST_FRAME_WORDS: u32 = 1 << 16;
const LARGEST_PART_BYTES: u64 = 16 << 20;
const DEEPEST_INLINING: usize = 256;
const LONGEST_SCOPE_BYTES: usize = 32;
const WORD_BYTES: u64 = 8;
/// Where a segment belongs to no piece.
const FREE: u8 = 0xff;

/// What stands at a return address.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub(super) frame_bytes: u64,
    /// The innermost first.
    pub(super) frames: Vec<JavaFrame>,
    /// The code was given up while it was called: where in the frame the true return address is.
    pub(super) original_return: Option<u64>,
    pub(super) checks: Vec<Check>,
}

impl Compiled {
    /// Reads what stands at an address; `None` where no piece of code with frames of a known size has it.
    pub(super) fn read(address: u64, layout: &Layout, memory: Reader<'_>) -> Option<Self> {
        let compiled = layout.compiled.as_ref()?;
        let blob = find(address, compiled, memory)?;
        let field = |offset: u64| blob.checked_add(offset);
        let size = memory.u32(field(compiled.blob_size)?)?;
        if address < field(compiled.blob_bytes)? || address >= blob.checked_add(u64::from(size))? {
            return None;
        }
        let words = memory.u32(field(compiled.blob_frame_words)?)?;
        if !(2..=LARGEST_FRAME_WORDS).contains(&words) {
            return None;
        }
        let name_at = memory.word(field(compiled.blob_name)?)?;
        let name = memory.bytes(name_at, 15)?;
        let mut found = Self {
            frame_bytes: u64::from(words) * WORD_BYTES,
            frames: Vec::new(),
            original_return: None,
            checks: vec![Check {
                address: field(compiled.blob_name)?,
                bytes: name_at.to_ne_bytes().to_vec(),
            }],
        };
        let is_native = name.starts_with(b"native nmethod\0");
        if is_native || name.starts_with(b"nmethod\0") {
            let number_at = field(compiled.compile_number)?;
            found.checks.push(Check { address: number_at, bytes: memory.bytes(number_at, 4)? });
            let method_at = field(compiled.method)?;
            let method = memory.word(method_at)?;
            found.checks.push(Check { address: method_at, bytes: method.to_ne_bytes().to_vec() });
            let is_deoptimized = |place: &&super::layout::Place| place.address(blob, memory) == Some(address);
            if !is_native && compiled.deoptimized.iter().any(|place| is_deoptimized(&place)) {
                let at = memory.u32(field(compiled.original_return)?)?;
                found.original_return = Some(u64::from(at)).filter(|at| *at < found.frame_bytes);
                return found.original_return.is_some().then_some(found);
            }
            let scopes = if is_native { None } else { scopes(address, blob, layout, compiled, memory) };
            // Where the tables do not have the address, the method itself is known still.
            found.frames = scopes.unwrap_or_else(|| {
                Method::read(method, layout, memory)
                    .and_then(|method| method.frame(None))
                    .into_iter()
                    .collect()
            });
        }
        Some(found)
    }
}

/// The header of the piece of code that holds an address.
fn find(address: u64, layout: &CompiledLayout, memory: Reader<'_>) -> Option<u64> {
    let heaps = memory.word(layout.heaps)?;
    let count = memory.u32(heaps.checked_add(layout.list_length)?)?.min(MOST_HEAPS);
    let data = memory.word(heaps.checked_add(layout.list_data)?)?;
    for number in 0..u64::from(count) {
        let heap = memory.word(data.checked_add(number * WORD_BYTES)?)?;
        let space = heap.checked_add(layout.heap_memory)?;
        let low = memory.word(space.checked_add(layout.space_low)?)?;
        let high = memory.word(space.checked_add(layout.space_high)?)?;
        if !(low..high).contains(&address) {
            continue;
        }
        let bits = memory.u32(heap.checked_add(layout.heap_segment_bits)?)?;
        let segments = heap.checked_add(layout.heap_segments)?;
        let map = memory.word(segments.checked_add(layout.space_low)?)?;
        let mut segment = (address - low).checked_shr(bits)?;
        // Each says how far back to go, at most.
        for _ in 0..MOST_HOPS {
            match memory.u8(map.checked_add(segment)?)? {
                0 => return low.checked_add(segment.checked_shl(bits)?)?.checked_add(layout.block_bytes),
                FREE => return None,
                back => segment = segment.checked_sub(u64::from(back))?,
            }
        }
        return None;
    }
    None
}

/// The frames at a return address of compiled code, the innermost first.
fn scopes(
    address: u64,
    blob: u64,
    layout: &Layout,
    compiled: &CompiledLayout,
    memory: Reader<'_>,
) -> Option<Vec<JavaFrame>> {
    let code = compiled.blob_code.address(blob, memory)?;
    let wanted = u32::try_from(address.checked_sub(code)?).ok()?;
    let places = compiled.places.address(blob, memory)?;
    let end = compiled.places_end.address(blob, memory)?;
    let bytes = end.checked_sub(places).filter(|bytes| *bytes <= LARGEST_PART_BYTES)?;
    let table = memory.bytes(places, usize::try_from(bytes).ok()?)?;
    let field = |entry: &[u8], offset: u64| {
        let bytes = entry.get(usize::try_from(offset).ok()?..)?.first_chunk::<4>()?;
        Some(u32::from_ne_bytes(*bytes))
    };
    let mut entries = table.chunks_exact(usize::try_from(compiled.place_bytes).ok()?);
    let entry = entries.find(|entry| field(entry, compiled.place_at) == Some(wanted))?;
    let mut next = field(entry, compiled.place_scope)?;
    let scopes = compiled.scopes.address(blob, memory)?;
    let metadata = compiled.metadata.address(blob, memory)?;
    let mut frames = Vec::new();
    for _ in 0..DEEPEST_INLINING {
        if next == 0 {
            return Some(frames);
        }
        // What is read may end where memory does.
        let at = scopes.checked_add(u64::from(next))?;
        let bytes = memory.bytes(at, LONGEST_SCOPE_BYTES)?;
        let mut numbers = Numbers::new(&bytes, layout.numbers);
        let (sender, method, index) = (numbers.unsigned()?, numbers.unsigned()?, numbers.unsigned()?);
        // One less is written, since what stands before the first bytecode has -1.
        let index = index.checked_sub(1);
        let slot = u64::from(method.checked_sub(1)?) * WORD_BYTES;
        let method = memory.word(metadata.checked_add(slot)?)?;
        frames.extend(Method::read(method, layout, memory)?.frame(index));
        // Those who called come before.
        if sender >= next {
            return None;
        }
        next = sender;
    }
    None
}

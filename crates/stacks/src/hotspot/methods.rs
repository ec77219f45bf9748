//! A method: its class, its name, its file and its table of lines.

use super::compressed::{line_of, lines};
use super::layout::Layout;
use super::memory::Reader;
use super::{Check, JavaFrame};
use std::sync::Arc;

/// Beyond these nothing is a name, a pool or code.
const LONGEST_NAME_BYTES: u16 = 2048;
const LONGEST_METHOD_WORDS: u32 = 1 << 17;
const WORD_BYTES: u64 = 8;
/// Array<Method*>: the length, then from here on the methods.
const ARRAY_DATA_AT: u64 = 8;
/// Where the classes are that the virtual machine makes of method handles.
const FORMS: &str = "java/lang/invoke/";

#[derive(Debug, Clone)]
pub(super) struct Method {
    function: Arc<str>,
    file: Option<Arc<str>>,
    code_start: u64,
    code_bytes: u32,
    lines: Vec<(u32, u32)>,
    /// The virtual machine does not show it in its own stack traces.
    is_hidden: bool,
    checks: Vec<Check>,
}

impl Method {
    /// Reads one; `None` of what is no method of a class.
    pub(super) fn read(address: u64, layout: &Layout, memory: Reader<'_>) -> Option<Self> {
        if address == 0 || !address.is_multiple_of(WORD_BYTES) {
            return None;
        }
        let constant_at = address.checked_add(layout.method_const)?;
        let constant = memory.word(constant_at)?;
        let words = memory.u32(constant.checked_add(layout.const_size)?)?;
        let bytes = u64::from(words).checked_mul(WORD_BYTES)?;
        if words > LONGEST_METHOD_WORDS || bytes < layout.const_bytes {
            return None;
        }
        let body = memory.bytes(constant, usize::try_from(bytes).ok()?)?;
        let half = |at: u64| {
            body.get(usize::try_from(at).ok()?..)?.first_chunk::<2>().map(|half| u16::from_ne_bytes(*half))
        };
        let code_bytes = u32::from(half(layout.const_code_size)?);
        let pool = body.get(usize::try_from(layout.const_pool).ok()?..)?.first_chunk::<8>()?;
        let pool = u64::from_ne_bytes(*pool);
        let class = memory.word(pool.checked_add(layout.pool_holder)?)?;
        // The way back: the class has this method under the number that the method says.
        let methods = memory.word(class.checked_add(layout.class_methods)?)?;
        let number = half(layout.const_number)?;
        if u32::from(number) >= memory.u32(methods)? {
            return None;
        }
        let place = methods.checked_add(ARRAY_DATA_AT + u64::from(number) * WORD_BYTES)?;
        if memory.word(place)? != address {
            return None;
        }
        let class_name_at = memory.word(class.checked_add(layout.class_name)?)?;
        let class_name = symbol(class_name_at, layout, memory)?;
        let name = pool_symbol(pool, half(layout.const_name)?, layout, memory)?;
        let source = memory.u16(pool.checked_add(layout.pool_source)?).filter(|index| *index != 0);
        let source = source.and_then(|index| pool_symbol(pool, index, layout, memory));
        let file = source.map(|source| match class_name.rsplit_once('/') {
            Some((package, _)) => format!("{package}/{source}"),
            None => source,
        });
        let code_end = usize::try_from(layout.const_bytes + u64::from(code_bytes)).ok()?;
        let has_lines = u32::from(half(layout.const_flags)?) & layout.has_lines != 0;
        let table = body.get(code_end..).filter(|_| has_lines && code_bytes > 0);
        let lines = table.and_then(|table| lines(table, layout.numbers, code_bytes)).unwrap_or_default();
        // A class without a name of its own has its address behind it.
        let is_made = class_name.starts_with(FORMS) || class_name.contains("+0x");
        let mut checks = vec![Check { address: constant_at, bytes: constant.to_ne_bytes().to_vec() }];
        let loader = memory.word(class.checked_add(layout.class_loader_data)?)?;
        if memory.word(loader.checked_add(layout.loader)?)? != 0 {
            // Such a class may go, and its memory may be given to another.
            let head = usize::try_from(layout.const_pool).ok()?;
            let end = usize::try_from(layout.const_bytes).ok()?;
            checks
                .push(Check { address: constant + layout.const_pool, bytes: body.get(head..end)?.to_vec() });
            if let Some(table) = body.get(code_end..).filter(|_| has_lines) {
                checks.push(Check { address: constant + code_end as u64, bytes: table.to_vec() });
            }
            let word = |address: u64, word: u64| Check { address, bytes: word.to_ne_bytes().to_vec() };
            checks.push(word(pool + layout.pool_holder, class));
            checks.push(word(class + layout.class_name, class_name_at));
            checks.push(Check {
                address: class_name_at + layout.symbol_body,
                bytes: class_name.as_bytes().to_vec(),
            });
        }
        Some(Self {
            function: format!("{}.{name}", class_name.replace('/', ".")).into(),
            file: file.map(Arc::from),
            code_start: constant.checked_add(layout.const_bytes)?,
            code_bytes,
            is_hidden: is_made && lines.is_empty(),
            lines,
            checks,
        })
    }

    /// What has to be the same still.
    pub(super) fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// The index of the bytecode at an address; `None` where it is none of this method.
    pub(super) fn index_of(&self, bytecode: u64) -> Option<u32> {
        let index = u32::try_from(bytecode.checked_sub(self.code_start)?).ok()?;
        (index < self.code_bytes).then_some(index)
    }

    /// The frame at a bytecode; `None` where the virtual machine would not show it.
    pub(super) fn frame(&self, index: Option<u32>) -> Option<JavaFrame> {
        let line =
            index.filter(|index| *index < self.code_bytes).and_then(|index| line_of(&self.lines, index));
        let frame = || JavaFrame { function: Arc::clone(&self.function), file: self.file.clone(), line };
        (!self.is_hidden).then(frame)
    }
}

/// A text of a class's constants.
fn pool_symbol(pool: u64, index: u16, layout: &Layout, memory: Reader<'_>) -> Option<String> {
    let length = memory.u32(pool.checked_add(layout.pool_length)?)?;
    if index == 0 || u32::from(index) >= length {
        return None;
    }
    let slot = pool.checked_add(layout.pool_bytes + u64::from(index) * WORD_BYTES)?;
    symbol(memory.word(slot)?, layout, memory)
}

fn symbol(address: u64, layout: &Layout, memory: Reader<'_>) -> Option<String> {
    let length = memory.u16(address.checked_add(layout.symbol_length)?)?;
    if length == 0 || length > LONGEST_NAME_BYTES {
        return None;
    }
    let bytes = memory.bytes(address.checked_add(layout.symbol_body)?, usize::from(length))?;
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process_memory::ProcessMemory;

    const METHOD: u64 = 0x100;
    const CONSTANT: u64 = 0x200;
    const POOL: u64 = 0x300;
    const CLASS: u64 = 0x400;
    const METHODS: u64 = 0x600;
    const LOADER: u64 = 0x640;
    const SYMBOLS: [(u64, &str); 3] = [(0x700, "org/me/Main$Inner"), (0x740, "load"), (0x780, "Main.java")];

    struct Bytes(Vec<u8>);

    impl ProcessMemory for Bytes {
        fn read_pieces(&self, pieces: &[(u64, usize)], bytes: &mut Vec<u8>) -> bool {
            pieces.iter().all(|(address, length)| {
                let start = usize::try_from(*address).unwrap_or(usize::MAX);
                let piece = self.0.get(start..).and_then(|rest| rest.get(..*length));
                piece.inspect(|piece| bytes.extend_from_slice(piece)).is_some()
            })
        }
    }

    impl Bytes {
        fn put(&mut self, address: u64, bytes: &[u8]) {
            let start = usize::try_from(address).unwrap();
            self.0[start..start + bytes.len()].copy_from_slice(bytes);
        }

        fn word(&mut self, address: u64, word: u64) {
            self.put(address, &word.to_ne_bytes());
        }
    }

    /// A method of an application's class, whose second bytecode begins another line.
    fn memory() -> Bytes {
        let mut memory = Bytes(vec![0; 0x1000]);
        memory.word(METHOD + 8, CONSTANT);
        memory.word(CONSTANT + 8, POOL);
        memory.put(CONSTANT + 24, &8_u32.to_ne_bytes());
        memory.put(CONSTANT + 28, &1_u16.to_ne_bytes());
        memory.put(CONSTANT + 32, &5_u16.to_ne_bytes());
        memory.put(CONSTANT + 34, &1_u16.to_ne_bytes());
        memory.put(CONSTANT + 38, &2_u16.to_ne_bytes());
        memory.put(CONSTANT + 48 + 5, &[7, 1 << 3 | 3, 0]);
        memory.word(POOL + 24, CLASS);
        memory.put(POOL + 54, &2_u16.to_ne_bytes());
        memory.put(POOL + 60, &3_u32.to_ne_bytes());
        memory.word(POOL + 72 + 8, SYMBOLS[1].0);
        memory.word(POOL + 72 + 16, SYMBOLS[2].0);
        memory.word(CLASS + 24, SYMBOLS[0].0);
        memory.word(CLASS + 152, LOADER);
        memory.word(CLASS + 408, METHODS);
        memory.put(METHODS, &3_u32.to_ne_bytes());
        memory.word(METHODS + 8 + 16, METHOD);
        memory.word(LOADER + 8, 0x800);
        for (address, text) in SYMBOLS {
            memory.put(address + 4, &u16::try_from(text.len()).unwrap().to_ne_bytes());
            memory.put(address + 6, text.as_bytes());
        }
        memory
    }

    fn read(memory: &Bytes) -> Option<Method> {
        Method::read(METHOD, &Layout::of_17(), Reader(memory))
    }

    #[test]
    fn a_method_has_class_file_and_lines() {
        let method = read(&memory()).unwrap();
        let line = |bytecode: u64| method.frame(method.index_of(bytecode)).unwrap().line;
        let frame = method.frame(None).unwrap();
        assert_eq!(&*frame.function, "org.me.Main$Inner.load");
        assert_eq!(frame.file.as_deref(), Some("org/me/Main.java"));
        assert_eq!(frame.line, None);
        let code = CONSTANT + 48;
        assert_eq!([line(code), line(code + 1), line(code + 4)], [Some(7), Some(10), Some(10)]);
        assert_eq!([line(0), line(code - 1), line(code + 5)], [None; 3], "that is none of its bytecodes");
    }

    #[test]
    fn a_method_is_believed_where_its_class_has_it() {
        for (address, what) in [
            (METHODS + 8 + 16, "the class has another there"),
            (CONSTANT + 38, "its number is another's"),
            (POOL + 24, "the constants are of no class"),
            (CONSTANT + 34, "its name lies beyond the constants"),
            (CONSTANT + 24, "it is too large"),
            (SYMBOLS[1].0 + 6, "its name is no text"),
        ] {
            let mut memory = memory();
            memory.put(address, &[0xff; 2]);
            assert!(read(&memory).is_none(), "{what}");
        }
        let mut memory = memory();
        memory.put(METHODS, &2_u32.to_ne_bytes());
        assert!(read(&memory).is_none(), "the class has fewer");
        assert!(Method::read(METHOD + 4, &Layout::of_17(), Reader(&memory)).is_none());
        assert!(Method::read(u64::MAX - 7, &Layout::of_17(), Reader(&memory)).is_none());
    }

    #[test]
    fn what_says_who_a_method_is_is_compared_again() {
        let before = memory();
        let method = read(&before).unwrap();
        let is_same = |memory: &Bytes| {
            let now = |check: &Check| Reader(memory).bytes(check.address, check.bytes.len());
            method.checks().iter().all(|check| now(check).as_ref() == Some(&check.bytes))
        };
        assert!(is_same(&before));
        for address in [METHOD + 8, CONSTANT + 34, CONSTANT + 48 + 5, POOL + 24, CLASS + 24, SYMBOLS[0].0 + 6]
        {
            let mut memory = memory();
            memory.put(address, &[0x41]);
            assert!(!is_same(&memory), "{address:x}");
        }
        let mut of_boot_loader = memory();
        of_boot_loader.word(LOADER + 8, 0);
        assert_eq!(read(&of_boot_loader).unwrap().checks().len(), 1, "such a class stays");
    }
}

//! What was read from a process's memory, kept as long as that memory is the same: what a runtime frees
//! may be given to another function.

use crate::process_memory::{ProcessMemory, word, word_of};
use std::collections::HashMap;

/// Things of one kind by their addresses.
#[derive(Debug, Clone)]
pub(crate) struct Remembered<T> {
    known: HashMap<u64, Known<T>>,
    most: usize,
}

#[derive(Debug, Clone)]
struct Known<T> {
    value: T,
    /// All that it follows from.
    read: Vec<(u64, Vec<u8>)>,
}

/// Reads memory and notes what it has read.
pub(crate) struct Reader<'a> {
    memory: &'a dyn ProcessMemory,
    read: Vec<(u64, Vec<u8>)>,
}

impl Reader<'_> {
    /// So many bytes at an address.
    pub(crate) fn bytes(&mut self, address: u64, length: usize) -> Option<&[u8]> {
        let mut bytes = Vec::with_capacity(length);
        self.memory.read_pieces(&[(address, length)], &mut bytes).then_some(())?;
        self.read.push((address, bytes));
        self.read.last().map(|(_, bytes)| bytes.as_slice())
    }

    /// The word at an address, of which not all bits matter: it is not compared later.
    pub(crate) fn glance(&self, address: u64) -> Option<u64> {
        word(self.memory, address)
    }

    /// The word at an address.
    pub(crate) fn word(&mut self, address: u64) -> Option<u64> {
        self.bytes(address, 8).and_then(|bytes| word_of(bytes, 0))
    }
}

impl<T> Remembered<T> {
    /// None is known yet; where there are more than so many, all are read anew.
    pub(crate) fn new(most: usize) -> Self {
        Self { known: HashMap::new(), most }
    }

    /// The one at an address, as it was when it was last asked to be renewed.
    pub(crate) fn get(&self, address: u64) -> Option<&T> {
        self.known.get(&address).map(|known| &known.value)
    }

    /// Makes those at these addresses known, where `read` finds one there. What its reader does not read
    /// may not matter to it.
    pub(crate) fn renew(
        &mut self,
        mut wanted: Vec<u64>,
        memory: &dyn ProcessMemory,
        read: impl Fn(u64, &mut Reader<'_>) -> Option<T>,
    ) {
        if self.known.len() > self.most {
            self.known.clear();
        }
        wanted.sort_unstable();
        wanted.dedup();
        let same = self.same(&wanted, memory);
        for (address, _) in wanted.into_iter().zip(same).filter(|(_, is_same)| !is_same) {
            let mut reader = Reader { memory, read: Vec::new() };
            match read(address, &mut reader) {
                Some(value) => self.known.insert(address, Known { value, read: reader.read }),
                None => self.known.remove(&address),
            };
        }
    }

    /// Which of these are as they were, by one reading of all that they follow from.
    fn same(&self, wanted: &[u64], memory: &dyn ProcessMemory) -> Vec<bool> {
        let known: Vec<Option<&Known<T>>> = wanted.iter().map(|address| self.known.get(address)).collect();
        let read = known.iter().flatten().flat_map(|known| &known.read);
        let pieces: Vec<(u64, usize)> = read.map(|(address, bytes)| (*address, bytes.len())).collect();
        let mut bytes = Vec::new();
        if !memory.read_pieces(&pieces, &mut bytes) {
            return vec![false; wanted.len()];
        }
        let mut rest = bytes.as_slice();
        let mut is_same = |known: &Known<T>| {
            known.read.iter().fold(true, |is_same, (_, former)| {
                let (now, others) = rest.split_at(former.len().min(rest.len()));
                rest = others;
                is_same && now == former
            })
        };
        known.into_iter().map(|known| known.is_some_and(&mut is_same)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process_memory::tests::Bytes;
    use std::cell::RefCell;

    /// A thing is the byte that the one at its address points to.
    fn read(address: u64, reader: &mut Reader<'_>) -> Option<u8> {
        let pointer = u64::from(*reader.bytes(address, 1)?.first()?);
        reader.bytes(pointer, 1)?.first().copied().filter(|byte| *byte != 0)
    }

    #[test]
    fn what_lies_in_the_same_memory_is_another_thing_when_the_memory_changed() {
        let memory = Bytes(RefCell::new(vec![4, 5, 0, 0, 40, 50]));
        let mut things = Remembered::new(8);
        things.renew(vec![1, 0, 1], &memory, read);
        assert_eq!((things.get(0), things.get(1)), (Some(&40), Some(&50)));
        memory.0.borrow_mut()[4] = 41;
        things.renew(vec![0, 1], &memory, read);
        assert_eq!((things.get(0), things.get(1)), (Some(&41), Some(&50)), "what it points to changed");
        memory.0.borrow_mut()[1] = 2;
        things.renew(vec![0, 1, 100], &memory, read);
        assert_eq!((things.get(0), things.get(1), things.get(100)), (Some(&41), None, None));
    }
}

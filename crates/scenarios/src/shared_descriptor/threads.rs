//! The part whose threads read one file by direct calls.

use super::{BLOCK, Tally};
use crate::lines::{Failure, say_all};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, SeekFrom, open, seek};
use rustix::io::{Errno, dup, pread, read};
use std::io;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::Builder;

/// The file of numbered blocks.
pub(super) const FILE: &str = "blocks";

/// How a block is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Pread,
    SeekRead,
    /// With a lock held over both calls.
    Locked,
    /// Each by a duplicate of one descriptor.
    Duplicate,
    /// Each by an open of its own.
    Own,
}

impl Way {
    pub(super) const ALL: [Self; 5] = [Self::Pread, Self::SeekRead, Self::Locked, Self::Duplicate, Self::Own];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Pread => "pread",
            Self::SeekRead => "lseek, then read",
            Self::Locked => "lseek, then read, a lock around both",
            Self::Duplicate => "lseek, then read, a dup of the descriptor each",
            Self::Own => "lseek, then read, an open of its own each",
        }
    }
}

/// A thread's way to the file.
#[derive(Debug)]
struct Reader {
    way: Way,
    file: Arc<OwnedFd>,
    lock: Arc<Mutex<()>>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.tries += other.tries;
        self.right += other.right;
        self.other += other.other;
        self.nothing += other.nothing;
    }
}

/// Plays it: `WAY forced|free TRIES THREADS BLOCKS`.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [way, order, tries, threads, blocks] = words else { return Err("how, how often?".into()) };
    let way = Way::ALL.into_iter().find(|known| known.word() == *way).ok_or("no such way")?;
    let (tries, threads, blocks): (u64, usize, u64) = (tries.parse()?, threads.parse()?, blocks.parse()?);
    let first = Reader { way, file: Arc::new(open_file()?), lock: Arc::default() };
    let tally = match *order {
        "forced" => first.forced(tries, blocks)?,
        "free" => freely(&first, tries, threads, blocks)?,
        _ => return Err("forced or free?".into()),
    };
    say_all(&tally)
}

fn open_file() -> Result<OwnedFd, Errno> {
    open(FILE, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
}

fn freely(first: &Reader, tries: u64, threads: usize, blocks: u64) -> Result<Tally, Failure> {
    let readers: Vec<Reader> = (0..threads).map(|_| first.another()).collect::<Result<_, _>>()?;
    let mut total = Tally::default();
    std::thread::scope(|scope| {
        let running: Vec<_> = (0_u64..)
            .zip(&readers)
            .map(|(seed, reader)| {
                Builder::new().spawn_scoped(scope, move || reader.read_many(seed, tries, blocks))
            })
            .collect::<io::Result<_>>()?;
        for thread in running {
            total.add(thread.join().map_err(|_| "a thread panicked")??);
        }
        Ok(total)
    })
}

impl Reader {
    /// The reader of another thread.
    fn another(&self) -> Result<Self, Errno> {
        let file = match self.way {
            Way::Own => Arc::new(open_file()?),
            Way::Duplicate => Arc::new(dup(&self.file)?),
            Way::Pread | Way::SeekRead | Way::Locked => Arc::clone(&self.file),
        };
        Ok(Self { way: self.way, file, lock: Arc::clone(&self.lock) })
    }

    fn read_many(&self, seed: u64, tries: u64, blocks: u64) -> Result<Tally, Errno> {
        let mut tally = Tally::default();
        for number in 0..tries {
            let block = fathom_model::splitmix64(seed << 32 | number) % blocks;
            self.read_block(&mut tally, block, || Ok(()))?;
        }
        Ok(tally)
    }

    /// Another thread seeks between the two steps of each read.
    fn forced(&self, tries: u64, blocks: u64) -> Result<Tally, Failure> {
        let other = self.another()?;
        let (ask, asked) = mpsc::channel::<u64>();
        let (answer, answered) = mpsc::channel();
        let seeker = Builder::new().spawn(move || {
            for block in asked {
                let sought = seek(&other.file, SeekFrom::Start(block * BLOCK as u64));
                let _nobody_waits = answer.send(sought.map(|_| ()));
            }
        });
        let mut tally = Tally::default();
        for number in 0..tries {
            let block = number % (blocks - 1);
            self.read_block(&mut tally, block, || {
                ask.send(block + 1).map_err(|_| Errno::PIPE)?;
                answered.recv().map_err(|_| Errno::PIPE)?
            })?;
        }
        drop(ask);
        seeker?.join().map_err(|_| "the other thread panicked")?;
        Ok(tally)
    }

    fn read_block(
        &self,
        tally: &mut Tally,
        block: u64,
        between: impl FnOnce() -> Result<(), Errno>,
    ) -> Result<(), Errno> {
        let mut buffer = [0; BLOCK];
        let offset = block * BLOCK as u64;
        let read = if self.way == Way::Pread {
            between()?;
            pread(&self.file, &mut buffer, offset)?
        } else {
            let held =
                (self.way == Way::Locked).then(|| self.lock.lock().unwrap_or_else(PoisonError::into_inner));
            seek(&self.file, SeekFrom::Start(offset))?;
            between()?;
            let read = read(&self.file, &mut buffer)?;
            drop(held);
            read
        };
        tally.tries += 1;
        if read < BLOCK {
            tally.nothing += 1;
        } else if buffer[..8] == block.to_le_bytes() && buffer[BLOCK - 8..] == block.to_le_bytes() {
            tally.right += 1;
        } else {
            tally.other += 1;
        }
        Ok(())
    }
}

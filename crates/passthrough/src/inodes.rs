//! Files that the kernel knows, by the numbers that it knows them by: those that they have anyway, where
//! these are free.

use fuser::INodeNo;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{AtFlags, Stat, statat};
use rustix::io::Errno;
use std::collections::HashMap;
use std::sync::Arc;

/// Numbers of files that could not have their own begin here.
const FIRST_OF_OTHERS: u64 = 1 << 62;

/// A file, held by path alone.
#[derive(Debug)]
pub(crate) struct Inode {
    pub(crate) fd: OwnedFd,
}

impl Inode {
    pub(crate) fn stat(&self) -> Result<Stat, Errno> {
        statat(&self.fd, "", AtFlags::EMPTY_PATH)
    }

    /// A path that leads to it, whatever it is called.
    pub(crate) fn path(&self) -> String {
        format!("/proc/self/fd/{}", self.fd.as_raw_fd())
    }
}

#[derive(Debug)]
pub(crate) struct Inodes {
    by_number: HashMap<u64, Known>,
    by_identity: HashMap<(u64, u64), u64>,
    device: u64,
    next_other: u64,
}

#[derive(Debug)]
struct Known {
    inode: Arc<Inode>,
    identity: (u64, u64),
    lookups: u64,
    /// When its data changed and how much there was when it was opened or closed last.
    content: Option<Content>,
}

/// By what a change of a file's data is known.
pub(crate) type Content = (i64, u64, i64);

impl Inodes {
    pub(crate) fn new(root: OwnedFd) -> Self {
        let root = Arc::new(Inode { fd: root });
        let identity = root.stat().map_or((0, 0), |stat| identity(&stat));
        let known = Known { inode: root, identity, lookups: 1, content: None };
        Self {
            by_number: HashMap::from([(INodeNo::ROOT.0, known)]),
            by_identity: HashMap::from([(identity, INodeNo::ROOT.0)]),
            device: identity.0,
            next_other: FIRST_OF_OTHERS,
        }
    }

    pub(crate) fn get(&self, number: INodeNo) -> Result<Arc<Inode>, Errno> {
        self.by_number.get(&number.0).map(|known| Arc::clone(&known.inode)).ok_or(Errno::STALE)
    }

    /// The number of a file that the kernel is told of once more.
    pub(crate) fn tell(&mut self, fd: OwnedFd, stat: &Stat) -> INodeNo {
        let identity = identity(stat);
        if let Some(number) = self.by_identity.get(&identity).copied()
            && let Some(known) = self.by_number.get_mut(&number)
        {
            known.lookups += 1;
            return INodeNo(number);
        }
        let own = identity.1;
        let is_free = identity.0 == self.device && own > 1 && own < FIRST_OF_OTHERS;
        let number = if is_free && !self.by_number.contains_key(&own) {
            own
        } else {
            self.next_other += 1;
            self.next_other
        };
        let known = Known { inode: Arc::new(Inode { fd }), identity, lookups: 1, content: None };
        self.by_number.insert(number, known);
        self.by_identity.insert(identity, number);
        INodeNo(number)
    }

    /// The kernel forgets so many times that it was told of it.
    pub(crate) fn forget(&mut self, number: INodeNo, lookups: u64) {
        if number == INodeNo::ROOT {
            return;
        }
        let Some(known) = self.by_number.get_mut(&number.0) else { return };
        known.lookups = known.lookups.saturating_sub(lookups);
        if known.lookups == 0 {
            let identity = known.identity;
            self.by_number.remove(&number.0);
            self.by_identity.remove(&identity);
        }
    }

    /// Takes in what is in a file now; true when it is what was there before.
    pub(crate) fn note_content(&mut self, number: INodeNo, stat: &Stat) -> bool {
        let content = (stat.st_mtime, stat.st_mtime_nsec, stat.st_size);
        let Some(known) = self.by_number.get_mut(&number.0) else { return false };
        known.content.replace(content) == Some(content)
    }
}

fn identity(stat: &Stat) -> (u64, u64) {
    (stat.st_dev, stat.st_ino)
}

//! The thread that empties the ring: it does nothing else, so that the ring has room, and
//! hands over what came in pieces. Between looks it sleeps; the kernel wakes nobody.

use super::growth::GrowingRing;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// Records one behind the other, each behind its length.
pub(super) type Piece = Vec<u8>;

/// What both ends know.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    /// Bytes that were handed over and not taken in yet.
    bytes: AtomicUsize,
    /// Nothing more will come.
    is_over: AtomicBool,
}

const LENGTH_BYTES: usize = 4;
/// A ring that is looked at this often has room for two million calls a second.
const PAUSE: Duration = Duration::from_millis(2);
/// The pause where so much came since the last look: stacks are being copied.
const SHORT_PAUSE: Duration = Duration::from_micros(200);
const FILLING_BYTES: usize = 1 << 20;
/// A piece is handed over when it is this long.
const PIECE_BYTES: usize = 1 << 20;
/// So much may wait for whoever judges; beyond it the ring fills, and the kernel counts
/// what it cannot write.
const MOST_BYTES: usize = 768 << 20;

impl Backlog {
    /// Nothing more will come, once the ring is empty.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// A piece was taken in.
    pub(super) fn taken(&self, piece: &Piece) {
        self.bytes.fetch_sub(piece.len(), Ordering::SeqCst);
    }
}

/// Empties the ring until the backlog ends, and lets go of it.
pub(super) fn drain(mut ring: GrowingRing, backlog: &Backlog, pieces: Sender<Piece>) {
    let mut is_filling = false;
    loop {
        // Asked before the last look, so that this one sees everything.
        let is_over = backlog.is_over.load(Ordering::SeqCst);
        if is_over || backlog.bytes.load(Ordering::SeqCst) < MOST_BYTES {
            let mut piece = Piece::new();
            let mut bytes = 0;
            ring.drain(is_over, &mut |record| {
                bytes += record.len();
                piece.extend_from_slice(&u32::try_from(record.len()).unwrap_or(0).to_ne_bytes());
                piece.extend_from_slice(record);
                if piece.len() >= PIECE_BYTES {
                    hand_over(std::mem::take(&mut piece), backlog, &pieces);
                }
            });
            if !piece.is_empty() {
                hand_over(piece, backlog, &pieces);
            }
            is_filling = bytes > FILLING_BYTES;
        }
        if is_over {
            // Before the ring: unmapping it takes long, and nobody has to wait for it.
            drop(pieces);
            return;
        }
        // Whoever ends the backlog ends the rest.
        thread::park_timeout(if is_filling { SHORT_PAUSE } else { PAUSE });
    }
}

/// The records of a piece.
pub(super) fn records(piece: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = piece;
    std::iter::from_fn(move || {
        let (length, behind) = rest.split_first_chunk::<LENGTH_BYTES>()?;
        let length = usize::try_from(u32::from_ne_bytes(*length)).ok()?;
        let (record, behind) = behind.split_at_checked(length)?;
        rest = behind;
        Some(record)
    })
}

fn hand_over(piece: Piece, backlog: &Backlog, pieces: &Sender<Piece>) {
    backlog.bytes.fetch_add(piece.len(), Ordering::SeqCst);
    // Whoever listens may have given up; the ring is emptied all the same.
    let _ = pieces.send(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_out_of_a_piece_as_they_went_in() {
        let mut piece = Piece::new();
        for record in [&b"one"[..], b"", b"three"] {
            piece.extend_from_slice(&u32::try_from(record.len()).unwrap().to_ne_bytes());
            piece.extend_from_slice(record);
        }
        assert_eq!(records(&piece).collect::<Vec<_>>(), [&b"one"[..], b"", b"three"]);
        assert_eq!(records(&piece[..piece.len() - 1]).count(), 2, "a torn record is none");
    }
}

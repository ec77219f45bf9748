//! What V8 keeps in memory of the functions that a thread runs: its objects, and its tables of positions.

#![expect(dead_code, reason = "the frames that need it come next")]

mod heap;
mod layout;
mod operations;
mod positions;

//! The last calls of each thread, from which examples are shown.

use super::Moment;
use crate::finding::ExampleCall;
use crate::render::rendered;
use crate::world::{FileNumber, PlaceId};
use fathom_events::FileEvent;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Calls that are kept of each thread.
const KEPT: usize = 64;
/// Calls that an example shows.
const SHOWN: usize = 6;

/// A call of the past.
#[derive(Debug)]
struct Past {
    number: u64,
    event: FileEvent,
    place: Option<PlaceId>,
    file: Option<FileNumber>,
    file_place: Option<PlaceId>,
}

/// The last calls by thread.
#[derive(Debug, Default)]
pub(crate) struct History {
    threads: FxHashMap<u32, VecDeque<Past>>,
}

impl History {
    /// Keeps a call.
    pub(crate) fn push(
        &mut self,
        event: FileEvent,
        number: u64,
        place: Option<PlaceId>,
        (file, file_place): (Option<FileNumber>, Option<PlaceId>),
    ) {
        let past = self.threads.entry(event.thread).or_insert_with(|| VecDeque::with_capacity(KEPT));
        if past.len() == KEPT {
            past.pop_front();
        }
        past.push_back(Past { number, event, place, file, file_place });
    }

    /// Forgets a thread that ended.
    pub(crate) fn forget(&mut self, thread: u32) {
        self.threads.remove(&thread);
    }

    /// The last calls on the same file or path or on `others`, and the one that is looked at.
    pub(crate) fn example(&self, moment: &Moment<'_>, others: &[PlaceId]) -> Vec<ExampleCall> {
        let file = moment.file.map(|file| file.number);
        let places = [moment.any_place(), moment.other_place];
        let same = |place: Option<PlaceId>| {
            places.contains(&place) && place.is_some() || place.is_some_and(|place| others.contains(&place))
        };
        let is_about = |past: &&Past| {
            past.file.is_some() && past.file == file
                || same(past.place)
                || file.is_none() && same(past.file_place)
        };
        let past = self.threads.get(&moment.thread()).into_iter().flatten();
        let mut calls: Vec<_> = past.rev().filter(is_about).take(SHOWN - 1).collect();
        calls.reverse();
        let shown = |number, event: &FileEvent, place| ExampleCall {
            number,
            thread: moment.thread(),
            call: event.call.to_owned(),
            text: rendered(event, place, moment.world, moment.paths),
        };
        let mut calls: Vec<_> =
            calls.into_iter().map(|past| shown(past.number, &past.event, past.place)).collect();
        calls.push(shown(moment.when.number, moment.event, moment.place));
        calls
    }

    /// The last calls of a moment's thread on a place, without the moment's own.
    pub(crate) fn example_before(&self, moment: &Moment<'_>, place: PlaceId) -> Vec<ExampleCall> {
        let past = self.threads.get(&moment.thread()).into_iter().flatten();
        let mut calls: Vec<_> = past.rev().filter(|past| past.place == Some(place)).take(SHOWN).collect();
        calls.reverse();
        let shown = |past: &Past| ExampleCall {
            number: past.number,
            thread: moment.thread(),
            call: past.event.call.to_owned(),
            text: rendered(&past.event, past.place, moment.world, moment.paths),
        };
        calls.into_iter().map(shown).collect()
    }
}

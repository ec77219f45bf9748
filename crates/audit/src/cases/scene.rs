//! Where a case lies.

use super::{Group, group_of};
use crate::finding::ExampleCall;
use crate::moment::Moment;
use crate::shared_path::SharedPath;
use crate::world::{OpenFile, PlaceId, World};
use fathom_events::StackId;

/// Where a case lies, kept until it is sure that it is one.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(super) group: Group,
    pub(super) place: Option<PlaceId>,
    /// Further places that the scene stands for, where they were told.
    pub(super) others: SharedPath,
    pub(super) process: u32,
    pub(super) example: Vec<ExampleCall>,
}

impl Scene {
    /// That of a call.
    pub(crate) fn of(moment: &Moment<'_>) -> Self {
        Self::at(moment, moment.any_place())
    }

    /// That of a call whose consequences are the program's to heed, although its runtime may make
    /// such calls by itself on all but its own files.
    pub(crate) fn of_program(moment: &Moment<'_>) -> Self {
        let mut scene = Self::of(moment);
        scene.group.is_runtimes = moment.is_on_runtimes_file();
        scene
    }

    /// That of a call, about another place.
    pub(crate) fn at(moment: &Moment<'_>, place: Option<PlaceId>) -> Self {
        Self::among(moment, place, &[])
    }

    /// That of an open file which this call ends: it lies where the file was opened.
    pub(crate) fn of_opened(moment: &Moment<'_>, file: &OpenFile) -> Self {
        let others: Vec<_> = file.place.into_iter().collect();
        Self::among(moment, file.place, &others).opened_with(Some(file))
    }

    /// It is the runtime's too where that alone asked for what is accused.
    pub(crate) fn asked_by_runtime(mut self, is_runtimes: bool) -> Self {
        self.group.is_runtimes |= is_runtimes;
        self
    }

    /// It is the runtime's where what it is about is, whoever makes the calls.
    pub(crate) fn kept_by_runtime(mut self, is_runtimes: bool) -> Self {
        self.group.is_runtimes = is_runtimes;
        self
    }

    /// It lies where that file was opened, if that is known.
    pub(crate) fn opened_with(mut self, file: Option<&OpenFile>) -> Self {
        let opened = file.and_then(|file| file.opened_stack);
        self.group.stack = opened.map(|stack| stack.0).or(self.group.stack);
        self
    }

    /// Whose it is follows from the first of its kind, wherever in the code that came from.
    pub(crate) fn owned_as(mut self, first: Option<&Self>) -> Self {
        if let Some(first) = first {
            self.group = Group { stack: self.group.stack, ..first.group };
        }
        self
    }

    /// It is about these places, whatever else its call was about.
    pub(crate) fn about(mut self, places: impl IntoIterator<Item = PlaceId>, world: &World) -> Self {
        self.others = SharedPath::default();
        let mut places = places.into_iter().peekable();
        self.place = places.peek().copied();
        places.for_each(|place| self.others.add(place, world));
        self
    }

    /// True where the runtime makes the calls, or keeps what they are about.
    pub(crate) fn is_runtimes(&self) -> bool {
        self.group.is_runtimes
    }

    /// The process whose calls it is of.
    pub(crate) fn process(&self) -> u32 {
        self.process
    }

    /// Where in the code it lies.
    pub(crate) fn stack(&self) -> Option<StackId> {
        self.group.stack.map(StackId)
    }

    /// The number of the last call of its example, by which scenes are in order.
    pub(crate) fn number(&self) -> u64 {
        self.example.last().map_or(u64::MAX, |call| call.number)
    }

    /// It stands for one more place.
    pub(crate) fn also_at(&mut self, place: Option<PlaceId>, world: &World) {
        if let Some(place) = place {
            self.others.add(place, world);
        }
    }

    /// That of a call about a place, shown with the calls on others before it.
    pub(crate) fn among(moment: &Moment<'_>, place: Option<PlaceId>, others: &[PlaceId]) -> Self {
        Self {
            group: group_of(moment, place),
            place,
            others: SharedPath::default(),
            process: moment.process(),
            example: moment.example_among(others),
        }
    }
}

//! Conditions: which variants a published figure or a claim speaks of.

use crate::{
    Access, Alignment, BufferUse, CacheState, Content, MethodId, Operation, Parameters, Place, PlaceFacts,
    Setting, SettingValue, Variant,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a variant has to be like; `None` leaves it open.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Conditions {
    /// The method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodId>,
    /// The operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// The kind of place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceKind>,
    /// The size of the files, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// How many files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u32>,
    /// What the files hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// The block size, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u64>,
    /// The use of buffers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<BufferUse>,
    /// The order of blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// The alignment of blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alignment: Option<Alignment>,
    /// The state of the page cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheState>,
    /// Settings, usual values too.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<Setting, SettingValue>,
}

/// Where files lie, as far as it matters to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceKind {
    /// A file system on a device.
    Disk,
    /// A file system in memory.
    Memory,
    /// A memory file.
    Memfd,
    /// An ext4 with a journal that flushes a replaced file when it is closed (`auto_da_alloc`): its defaults.
    Ext4,
    /// An ext4 mounted with `noauto_da_alloc`.
    #[serde(rename = "ext4+noauto_da_alloc")]
    Ext4NoAutoDaAlloc,
    /// An ext4 mounted with `discard`.
    #[serde(rename = "ext4+discard")]
    Ext4Discard,
    /// An XFS.
    Xfs,
    /// A Btrfs.
    Btrfs,
}

impl PlaceKind {
    /// True when a place is of this kind; it may be of several.
    pub fn holds(self, facts: &PlaceFacts) -> bool {
        let is = |kind: &str| facts.place != Place::Memfd && facts.file_system == kind;
        let mounted_with =
            |option: &str| facts.mount_options.value().is_some_and(|all| all.iter().any(|one| one == option));
        match self {
            Self::Memfd => facts.place == Place::Memfd,
            Self::Memory => facts.place != Place::Memfd && facts.in_memory,
            Self::Disk => facts.place != Place::Memfd && !facts.in_memory,
            Self::Ext4 => {
                let journaled = facts.journal.value().is_some_and(|journal| journal.starts_with("journaled"));
                is("ext4") && journaled && !mounted_with("noauto_da_alloc")
            }
            Self::Ext4NoAutoDaAlloc => is("ext4") && mounted_with("noauto_da_alloc"),
            Self::Ext4Discard => is("ext4") && mounted_with("discard"),
            Self::Xfs => is("xfs"),
            Self::Btrfs => is("btrfs"),
        }
    }
}

impl Conditions {
    /// Of one method, whatever else.
    pub fn of_method(method: Option<MethodId>) -> Self {
        Self { method, ..Self::default() }
    }

    /// True when a variant in this place meets them.
    pub fn are_met_by(&self, variant: &Variant, place: &PlaceFacts) -> bool {
        self.place.is_none_or(|kind| kind.holds(place)) && self.fit(variant)
    }

    /// True when a variant meets them, wherever it is.
    pub fn fit(&self, variant: &Variant) -> bool {
        let parameters = &variant.parameters;
        self.method.as_ref().is_none_or(|method| *method == variant.method)
            && self.operation.is_none_or(|operation| operation == variant.operation)
            && self.size_bytes.is_none_or(|size| size == parameters.data.size_bytes)
            && self.files.is_none_or(|files| files == parameters.data.files)
            && self.content.is_none_or(|content| content == parameters.data.content)
            && self.block_bytes.is_none_or(|block| block == parameters.block_bytes)
            && self.buffer.is_none_or(|buffer| buffer == parameters.buffer)
            && self.access.is_none_or(|access| access == parameters.access)
            && self.alignment.is_none_or(|alignment| alignment == parameters.alignment)
            && self.cache.is_none_or(|cache| cache == variant.cache)
            && self.settings.iter().all(|(setting, value)| parameters.settings.value(*setting) == *value)
    }

    /// True when two variants differ in nothing but in what these conditions, or
    /// those of `other`, say. Whether they are in the same place is not looked at
    /// where one of them says something of the place.
    pub fn leave_equal(&self, other: &Self, one: &Variant, two: &Variant) -> bool {
        let says = |said: fn(&Self) -> bool| said(self) || said(other);
        let (a, b): (&Parameters, &Parameters) = (&one.parameters, &two.parameters);
        // Blocks and buffers mean nothing to some operations.
        let same_operation = one.operation == two.operation;
        (says(|c| c.place.is_some()) || one.place == two.place)
            && (says(|c| c.operation.is_some()) || same_operation)
            && (says(|c| c.size_bytes.is_some()) || a.data.size_bytes == b.data.size_bytes)
            && (says(|c| c.files.is_some()) || a.data.files == b.data.files)
            && (says(|c| c.content.is_some()) || a.data.content == b.data.content)
            && (says(|c| c.block_bytes.is_some()) || !same_operation || a.block_bytes == b.block_bytes)
            && (says(|c| c.buffer.is_some()) || !same_operation || a.buffer == b.buffer)
            && (says(|c| c.access.is_some()) || !same_operation || a.access == b.access)
            && (says(|c| c.alignment.is_some()) || !same_operation || a.alignment == b.alignment)
            && (says(|c| c.cache.is_some()) || one.cache == two.cache)
            && Setting::ALL.into_iter().all(|setting| {
                let said = self.settings.contains_key(&setting) || other.settings.contains_key(&setting);
                said || a.settings.value(setting) == b.settings.value(setting)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataSet;

    fn variant(method: &str, block_bytes: u64) -> Variant {
        let data = DataSet { files: 1, size_bytes: 4096, content: Content::Random };
        Variant {
            method: method.parse().unwrap(),
            operation: Operation::OpenReadClose,
            place: 0,
            cache: CacheState::Warm,
            parameters: Parameters::new(data, block_bytes),
        }
    }

    fn place(kind: &str, options: &[&str]) -> PlaceFacts {
        let journal = if kind == "ext4" { "journaled (jbd2/loop0-8)" } else { "no journal" };
        PlaceFacts {
            place: Place::Directory("/x".into()),
            file_system: kind.to_owned(),
            magic: String::new(),
            in_memory: kind == "tmpfs",
            mount_point: crate::Reading::unavailable("not looked at"),
            mount_options: crate::Reading::Value(options.iter().map(|&option| option.to_owned()).collect()),
            journal: crate::Reading::Value(journal.to_owned()),
            device: crate::Reading::unavailable("not looked at"),
            block_bytes: 4096,
            inode_bytes: crate::Reading::unavailable("not looked at"),
            direct_io_alignment_bytes: crate::Reading::unavailable("not looked at"),
            path_depth: crate::Reading::unavailable("not looked at"),
        }
    }

    #[test]
    fn a_place_is_of_every_kind_that_its_file_system_and_options_make_it() {
        let holds = |kind: PlaceKind, options: &[&str]| kind.holds(&place("ext4", options));
        assert!(holds(PlaceKind::Disk, &[]) && holds(PlaceKind::Ext4, &["rw"]));
        assert!(holds(PlaceKind::Ext4NoAutoDaAlloc, &["noauto_da_alloc"]));
        assert!(!holds(PlaceKind::Ext4, &["noauto_da_alloc"]) && !holds(PlaceKind::Ext4NoAutoDaAlloc, &[]));
        assert!(holds(PlaceKind::Ext4Discard, &["discard"]) && holds(PlaceKind::Ext4, &["discard"]));
        assert!(
            PlaceKind::Memory.holds(&place("tmpfs", &[])) && !PlaceKind::Disk.holds(&place("tmpfs", &[]))
        );
        assert!(PlaceKind::Btrfs.holds(&place("btrfs", &[])) && !PlaceKind::Xfs.holds(&place("btrfs", &[])));
    }

    fn of_method(name: &str) -> Conditions {
        Conditions { method: name.parse().ok(), ..Conditions::default() }
    }

    #[test]
    fn what_is_left_open_fits_everything() {
        let (small, large) = (variant("go:os.Open", 512), variant("go:os.Open", 4096));
        assert!(Conditions::default().are_met_by(&small, &place("tmpfs", &[])));
        let block = Conditions { block_bytes: Some(512), ..of_method("go:os.Open") };
        assert!(
            block.are_met_by(&small, &place("ext4", &[])) && !block.are_met_by(&large, &place("ext4", &[]))
        );
        assert!(!of_method("go:os.Open").are_met_by(&variant("native:open", 512), &place("ext4", &[])));
        let in_memory = Conditions { place: Some(PlaceKind::Memory), ..Conditions::default() };
        assert!(!in_memory.are_met_by(&small, &place("ext4", &[])));
        let threads = Conditions {
            settings: [(Setting::Threads, SettingValue::Number(1))].into(),
            ..Conditions::default()
        };
        assert!(threads.are_met_by(&small, &place("ext4", &[])), "a usual value is a value");
    }

    #[test]
    fn variants_may_differ_in_what_is_said_alone() {
        let (a, b) = (variant("go:os.Open", 512), variant("native:open", 4096));
        let (of, to) = (of_method("go:os.Open"), of_method("native:open"));
        assert!(!of.leave_equal(&to, &a, &b), "the block differs, and nobody says so");
        let said = Conditions { block_bytes: Some(512), ..of.clone() };
        assert!(said.leave_equal(&to, &a, &b));
        let elsewhere = Variant { place: 1, ..variant("native:open", 512) };
        assert!(!of.leave_equal(&to, &a, &elsewhere));
        let there = Conditions { place: Some(PlaceKind::Memory), ..to };
        assert!(of.leave_equal(&there, &a, &elsewhere));
    }
}

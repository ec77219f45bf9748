//! The conditions of a claim as its file writes them.

use crate::error::{CatalogError, Problem};
use crate::settings::read_settings;
use crate::sweep::{read_size, read_sizes};
use crate::toml_reader::{Item, TableReader};
use crate::words::{Word, read_word};
use fathom_model::{Conditions, MethodId, Operation, PlaceKind};
use toml::de::DeValue;

impl Word for PlaceKind {
    const KIND: &'static str = "kind of place";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Disk, "disk"),
        (Self::Memory, "memory"),
        (Self::Memfd, "memfd"),
        (Self::Ext4, "ext4"),
        (Self::Ext4NoAutoDaAlloc, "ext4+noauto_da_alloc"),
        (Self::Ext4Discard, "ext4+discard"),
        (Self::Xfs, "xfs"),
        (Self::Btrfs, "btrfs"),
    ];
}

/// The conditions of one variant: each thing has one value.
pub(super) fn read_conditions(table: &TableReader<'_>) -> Result<Conditions, CatalogError> {
    let many = read_many(table)?;
    // Each list multiplies, so that one combination means one value of each.
    match <[Conditions; 1]>::try_from(many) {
        Ok([one]) => Ok(one),
        Err(_) => Err(CatalogError::new(
            table.origin(),
            Problem::Exclusive("a variant of a claim", "several values"),
            Some("lists stand in `with`".to_owned()),
        )),
    }
}

/// Every combination of what may have several values.
pub(super) fn read_many(table: &TableReader<'_>) -> Result<Vec<Conditions>, CatalogError> {
    let mut all = vec![Conditions::default()];
    if let Some(item) = table.take("method") {
        let method = item.text()?;
        let parsed: MethodId = method.value.parse().map_err(|_| {
            let problem = Problem::UnknownMethod(method.value.clone());
            method.error(problem, Some("a method is written `driver:name`".to_owned()))
        })?;
        for conditions in &mut all {
            conditions.method = Some(parsed.clone());
        }
    }
    if let Some(item) = table.take("operation") {
        let operation: Operation = read_word(&item.text()?)?.value;
        for conditions in &mut all {
            conditions.operation = Some(operation);
        }
    }
    if let Some(item) = table.take("files") {
        let files = u32::try_from(item.whole_number(1, u64::from(u32::MAX))?.value).ok();
        for conditions in &mut all {
            conditions.files = files;
        }
    }
    multiply(&mut all, &sizes(table, "size")?, |c, size| c.size_bytes = Some(size));
    multiply(&mut all, &sizes(table, "block")?, |c, block| c.block_bytes = Some(block));
    multiply(&mut all, &words(table, "content")?, |c, content| c.content = Some(content));
    multiply(&mut all, &words(table, "access")?, |c, access| c.access = Some(access));
    multiply(&mut all, &words(table, "alignment")?, |c, alignment| c.alignment = Some(alignment));
    multiply(&mut all, &words(table, "buffer")?, |c, buffer| c.buffer = Some(buffer));
    multiply(&mut all, &words(table, "cache")?, |c, cache| c.cache = Some(cache));
    multiply(&mut all, &words(table, "place")?, |c, place| c.place = Some(place));
    for (setting, values) in read_settings(table)? {
        let values: Vec<_> = values.into_iter().map(|value| value.value).collect();
        multiply(&mut all, &values, |c, value| {
            c.settings.insert(setting, value);
        });
    }
    Ok(all)
}

/// What both variants share, with what `upper` says of one laid over it. A variant of
/// another operation shares only what means something to that.
pub(super) fn overlaid(shared: &Conditions, upper: &Conditions) -> Conditions {
    let (mut lower, upper) = (shared.clone(), upper.clone());
    if let Some(operation) = upper.operation {
        if !operation.takes_buffer() {
            (lower.block_bytes, lower.buffer) = (None, None);
        }
        if !operation.takes_offsets() {
            (lower.access, lower.alignment) = (None, None);
        }
        lower.settings.retain(|setting, _| setting.concerns(operation));
    }
    Conditions {
        method: upper.method.or(lower.method),
        operation: upper.operation.or(lower.operation),
        place: upper.place.or(lower.place),
        size_bytes: upper.size_bytes.or(lower.size_bytes),
        files: upper.files.or(lower.files),
        content: upper.content.or(lower.content),
        block_bytes: upper.block_bytes.or(lower.block_bytes),
        buffer: upper.buffer.or(lower.buffer),
        access: upper.access.or(lower.access),
        alignment: upper.alignment.or(lower.alignment),
        cache: upper.cache.or(lower.cache),
        settings: lower.settings.into_iter().chain(upper.settings).collect(),
    }
}

/// Each of them once with each value; untouched where there is none.
fn multiply<T: Clone>(all: &mut Vec<Conditions>, values: &[T], set: impl Fn(&mut Conditions, T)) {
    if values.is_empty() {
        return;
    }
    let with_each = |conditions: &Conditions| {
        let each = |value: &T| {
            let mut conditions = conditions.clone();
            set(&mut conditions, value.clone());
            conditions
        };
        values.iter().map(each).collect::<Vec<_>>()
    };
    *all = all.iter().flat_map(with_each).collect();
}

fn sizes(table: &TableReader<'_>, key: &'static str) -> Result<Vec<u64>, CatalogError> {
    let Some(item) = table.take(key) else { return Ok(Vec::new()) };
    match item.value() {
        DeValue::Array(_) => Ok(read_sizes(&item, key)?.into_iter().map(|size| size.value).collect()),
        _ => Ok(vec![read_size(&item)?.value]),
    }
}

fn words<W: Word>(table: &TableReader<'_>, key: &'static str) -> Result<Vec<W>, CatalogError> {
    let Some(item) = table.take(key) else { return Ok(Vec::new()) };
    let texts = match item.value() {
        DeValue::Array(_) => item.list()?.iter().map(Item::text).collect::<Result<Vec<_>, _>>()?,
        _ => vec![item.text()?],
    };
    texts.iter().map(|text| Ok(read_word(text)?.value)).collect()
}

//! Combinations that cannot be measured anywhere, whatever the machine. What a
//! file system or a kernel refuses is found out when a plan runs.

use crate::error::Problem;
use crate::manifest::NULL_METHOD;
use crate::size::format_size;
use fathom_model::{Access, Alignment, Content, Setting, Variant};

/// No device has smaller logical blocks.
const DIRECT_MULTIPLE_BYTES: u64 = 512;

/// Blocks that are written are cut from a pool of so many bytes (drivers/PROTOCOL.md).
const WRITTEN_BLOCK_MAX_BYTES: u64 = 1 << 20;

/// Why a variant cannot be measured, and which of its choices is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Impossible {
    /// The method cannot take the other choices.
    Method(Problem),
    /// Size and block do not fit each other.
    Block(Problem),
}

/// Checks one combination; `taken` are the settings that the method says it obeys.
pub(crate) fn check(variant: &Variant, taken: &[Setting]) -> Result<(), Impossible> {
    check_block(variant)?;
    check_document(variant)?;
    check_settings(variant, taken)?;
    if variant.method.is_direct() { check_direct(variant) } else { Ok(()) }
}

/// A setting that is not as usual needs a method that obeys it.
fn check_settings(variant: &Variant, taken: &[Setting]) -> Result<(), Impossible> {
    let obeys = |setting: Setting| {
        setting.is_for_all_methods(variant.operation)
            || taken.contains(&setting)
            || variant.method.name == NULL_METHOD
    };
    match variant.parameters.settings.iter().find(|(setting, _)| !obeys(*setting)) {
        Some((setting, _)) => {
            Err(Impossible::Method(Problem::DoesNotTake(variant.method.clone(), setting.word())))
        }
        None => Ok(()),
    }
}

/// Documents are whole or they do not parse.
fn check_document(variant: &Variant) -> Result<(), Impossible> {
    let data = &variant.parameters.data;
    let is_template = |content| content == Content::Template;
    let fits = data.content.document_bytes() == Some(data.size_bytes)
        && is_template(data.content) == is_template(variant.operation.facts().content);
    if fits || !variant.operation.takes_documents() {
        return Ok(());
    }
    let wrong = format!("{} of {}", format_size(data.size_bytes), data.content);
    Err(Impossible::Block(Problem::NoDocument(variant.operation, wrong)))
}

fn check_direct(variant: &Variant) -> Result<(), Impossible> {
    let block = variant.parameters.block_bytes;
    let unaligned = variant.parameters.alignment == Alignment::Unaligned;
    if variant.operation.takes_offsets() && unaligned {
        return Err(Impossible::Method(Problem::DirectUnaligned(variant.method.clone())));
    }
    if variant.operation.takes_buffer() && !block.is_multiple_of(DIRECT_MULTIPLE_BYTES) {
        return Err(Impossible::Method(Problem::DirectBlock(variant.method.clone(), format_size(block))));
    }
    Ok(())
}

fn check_block(variant: &Variant) -> Result<(), Impossible> {
    let parameters = &variant.parameters;
    if !variant.operation.takes_offsets() {
        return Ok(());
    }
    if variant.operation.writes() && parameters.block_bytes > WRITTEN_BLOCK_MAX_BYTES {
        let (block, most) = (parameters.block_bytes, WRITTEN_BLOCK_MAX_BYTES);
        return Err(Impossible::Block(Problem::BlockTooLarge(format_size(block), format_size(most))));
    }
    // Unaligned sequential blocks begin one byte into the file.
    let skipped = match (parameters.access, parameters.alignment) {
        (Access::Sequential, Alignment::Unaligned) => 1,
        _ => 0,
    };
    if parameters.data.size_bytes.saturating_sub(skipped) >= parameters.block_bytes {
        return Ok(());
    }
    Err(Impossible::Block(Problem::NoWholeBlock {
        size: format_size(parameters.data.size_bytes),
        block: format_size(parameters.block_bytes),
        alignment: if skipped == 1 { "unaligned sequential" } else { "whole" },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{CacheState, DataSet, Operation, Parameters, SettingValue};

    fn checked(variant: &Variant) -> Result<(), Impossible> {
        check(variant, &[])
    }

    fn variant(method: &str, operation: Operation, size_bytes: u64, block_bytes: u64) -> Variant {
        let data = DataSet { files: 1, size_bytes, content: Content::Random };
        let parameters = Parameters::new(data, block_bytes);
        Variant { method: method.parse().unwrap(), operation, place: 0, cache: CacheState::Warm, parameters }
    }

    fn unaligned(method: &str, access: Access, size_bytes: u64) -> Variant {
        let mut variant = variant(method, Operation::ReadBlock, size_bytes, 4096);
        variant.parameters.access = access;
        variant.parameters.alignment = Alignment::Unaligned;
        variant
    }

    #[test]
    fn blocks_that_are_written_are_at_most_a_mebibyte() {
        let checked = |operation, block| checked(&variant("go:mmap", operation, 8 << 20, block));
        assert_eq!(checked(Operation::WriteBlock, 1 << 20), Ok(()));
        assert_eq!(checked(Operation::ReadBlock, 2 << 20), Ok(()));
        let Err(Impossible::Block(problem)) = checked(Operation::WriteBlock, (1 << 20) + 1) else {
            panic!("taken")
        };
        assert_eq!(problem.to_string(), "blocks of 1048577 B cannot be written: 1 MiB at most");
    }

    #[test]
    fn a_block_must_fit_into_the_file() {
        assert_eq!(checked(&variant("go:mmap", Operation::ReadBlock, 4096, 4096)), Ok(()));
        assert!(matches!(
            checked(&variant("go:mmap", Operation::ReadBlock, 4095, 4096)),
            Err(Impossible::Block(_))
        ));
        assert!(matches!(
            checked(&variant("go:mmap", Operation::ReadBlock, 0, 512)),
            Err(Impossible::Block(_))
        ));
        assert_eq!(checked(&variant("go:mmap", Operation::ReadWhole, 0, 4096)), Ok(()));
        assert_eq!(checked(&variant("go:mmap", Operation::OpenReadClose, 10, 4096)), Ok(()));
    }

    #[test]
    fn an_unaligned_sequential_block_needs_one_byte_more() {
        assert!(checked(&unaligned("go:mmap", Access::Sequential, 4096)).is_err());
        assert_eq!(checked(&unaligned("go:mmap", Access::Sequential, 4097)), Ok(()));
        assert_eq!(checked(&unaligned("go:mmap", Access::Random, 4096)), Ok(()));
    }

    #[test]
    fn direct_io_takes_aligned_multiples_of_512() {
        let direct = "native:O_DIRECT+pread";
        assert!(matches!(checked(&unaligned(direct, Access::Random, 1 << 20)), Err(Impossible::Method(_))));
        for operation in [Operation::OpenReadClose, Operation::ReadWhole, Operation::ReadBlock] {
            assert!(matches!(
                checked(&variant(direct, operation, 1 << 20, 8096)),
                Err(Impossible::Method(_))
            ));
            assert_eq!(checked(&variant(direct, operation, 1 << 20, 512)), Ok(()));
            assert_eq!(checked(&variant("native:pread", operation, 1 << 20, 8096)), Ok(()));
        }
        assert_eq!(checked(&variant("go:os.OpenFile+O_DIRECT", Operation::OpenClose, 10, 8096)), Ok(()));
    }

    #[test]
    fn a_setting_needs_a_method_that_obeys_it() {
        let mut threads = variant("native:pread", Operation::ReadBlock, 1 << 20, 4096);
        threads.parameters.settings.set(Setting::Threads, SettingValue::Number(4));
        assert!(matches!(check(&threads, &[]), Err(Impossible::Method(Problem::DoesNotTake(_, "threads")))));
        assert_eq!(check(&threads, &[Setting::Threads]), Ok(()));
        threads.operation = Operation::Search;
        assert_eq!(check(&threads, &[]), Ok(()), "every search does");
    }

    #[test]
    fn a_configuration_is_one_whole_document() {
        let mut load = variant("go:x", Operation::ConfigLoad, 1024, 4096);
        assert!(checked(&load).is_err(), "random bytes are no configuration");
        load.parameters.data.content = Content::ConfigToml;
        assert_eq!(checked(&load), Ok(()));
        load.parameters.data.size_bytes = 1000;
        assert!(checked(&load).is_err());
    }
}

//! Combinations that cannot be measured anywhere, whatever the machine. What a
//! file system or a kernel refuses is found out when a plan runs.

use crate::error::Problem;
use crate::size::format_size;
use fathom_model::{Access, Alignment, MethodId, Operation, Variant};

/// No device has smaller logical blocks.
const DIRECT_MULTIPLE_BYTES: u64 = 512;

/// Why a variant cannot be measured, and which of its choices is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Impossible {
    /// The method cannot take the other choices.
    Method(Problem),
    /// Size and block do not fit each other.
    Block(Problem),
}

/// Checks one combination.
pub(crate) fn check(variant: &Variant) -> Result<(), Impossible> {
    check_block(variant)?;
    if uses_direct_io(&variant.method) { check_direct(variant) } else { Ok(()) }
}

/// A method says in its name that it opens with `O_DIRECT`.
fn uses_direct_io(method: &MethodId) -> bool {
    method.name.split('+').any(|part| part == "O_DIRECT")
}

fn check_direct(variant: &Variant) -> Result<(), Impossible> {
    let block = variant.parameters.block_bytes;
    let unaligned = variant.parameters.alignment == Alignment::Unaligned;
    if variant.operation == Operation::ReadBlock && unaligned {
        return Err(Impossible::Method(Problem::DirectUnaligned(variant.method.clone())));
    }
    if variant.operation.delivers_data() && !block.is_multiple_of(DIRECT_MULTIPLE_BYTES) {
        return Err(Impossible::Method(Problem::DirectBlock(variant.method.clone(), format_size(block))));
    }
    Ok(())
}

fn check_block(variant: &Variant) -> Result<(), Impossible> {
    let parameters = &variant.parameters;
    if variant.operation != Operation::ReadBlock {
        return Ok(());
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
    use fathom_model::{BufferUse, CacheState, Content, DataSet, Parameters};

    fn variant(method: &str, operation: Operation, size_bytes: u64, block_bytes: u64) -> Variant {
        let data = DataSet { files: 1, size_bytes, content: Content::Random };
        let (access, alignment) = (Access::Random, Alignment::Aligned);
        let parameters = Parameters { data, block_bytes, access, alignment, buffer: BufferUse::Reused };
        Variant { method: method.parse().unwrap(), operation, place: 0, cache: CacheState::Warm, parameters }
    }

    fn unaligned(method: &str, access: Access, size_bytes: u64) -> Variant {
        let mut variant = variant(method, Operation::ReadBlock, size_bytes, 4096);
        variant.parameters.access = access;
        variant.parameters.alignment = Alignment::Unaligned;
        variant
    }

    #[test]
    fn a_block_must_fit_into_the_file() {
        assert_eq!(check(&variant("go:mmap", Operation::ReadBlock, 4096, 4096)), Ok(()));
        assert!(matches!(
            check(&variant("go:mmap", Operation::ReadBlock, 4095, 4096)),
            Err(Impossible::Block(_))
        ));
        assert!(matches!(
            check(&variant("go:mmap", Operation::ReadBlock, 0, 512)),
            Err(Impossible::Block(_))
        ));
        assert_eq!(check(&variant("go:mmap", Operation::ReadWhole, 0, 4096)), Ok(()));
        assert_eq!(check(&variant("go:mmap", Operation::OpenReadClose, 10, 4096)), Ok(()));
    }

    #[test]
    fn an_unaligned_sequential_block_needs_one_byte_more() {
        assert!(check(&unaligned("go:mmap", Access::Sequential, 4096)).is_err());
        assert_eq!(check(&unaligned("go:mmap", Access::Sequential, 4097)), Ok(()));
        assert_eq!(check(&unaligned("go:mmap", Access::Random, 4096)), Ok(()));
    }

    #[test]
    fn direct_io_takes_aligned_multiples_of_512() {
        let direct = "native:O_DIRECT+pread";
        assert!(matches!(check(&unaligned(direct, Access::Random, 1 << 20)), Err(Impossible::Method(_))));
        for operation in [Operation::OpenReadClose, Operation::ReadWhole, Operation::ReadBlock] {
            assert!(matches!(check(&variant(direct, operation, 1 << 20, 8096)), Err(Impossible::Method(_))));
            assert_eq!(check(&variant(direct, operation, 1 << 20, 512)), Ok(()));
            assert_eq!(check(&variant("native:pread", operation, 1 << 20, 8096)), Ok(()));
        }
        assert_eq!(check(&variant("go:os.OpenFile+O_DIRECT", Operation::OpenClose, 10, 8096)), Ok(()));
    }
}

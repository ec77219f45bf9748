//! Arguments of a call, shortened to what tells one call from another.

use crate::quantity::bytes;
use crate::text::recipe::TRANSFERS;
use crate::visible::visible;
use crate::wrap::elide;
use fathom_model::RecipeStep;

/// Columns that are left of them.
const WIDTH: usize = 42;
/// Flags that nearly every call has, or that the kernel adds by itself.
const SILENT: [&str; 3] = ["AT_FDCWD", "\"\"", "O_LARGEFILE"];
/// Calls whose first number is a length.
const OF_LENGTHS: [&str; 4] = ["mmap", "munmap", "mremap", "madvise"];

/// `F_SETFL, O_RDONLY|O_NONBLOCK`, `64 KiB`, `64 KiB → 12 B`, `EPOLL_CTL_ADD → EPERM`.
pub(super) fn shortened(step: &RecipeStep) -> String {
    let is_transfer = TRANSFERS.contains(&step.call.as_str());
    let of_lengths = is_transfer || OF_LENGTHS.contains(&step.call.as_str());
    let operands = step.arguments.split(',').map(str::trim).filter(|operand| tells(operand, of_lengths));
    let written = operands.map(|operand| match operand.parse::<u64>() {
        Ok(length) if of_lengths => bytes(length),
        _ => flags(operand),
    });
    let written: Vec<_> = written.filter(|operand| !operand.is_empty()).collect();
    let given = elide(&visible(&written.join(", ")), WIDTH);
    let got = match step.result.parse::<u64>() {
        _ if step.failed => step.result.clone(),
        Ok(moved) if is_transfer && !is_asked(step, moved) => bytes(moved),
        _ => return given,
    };
    format!("{given} → {got}").trim_start().to_owned()
}

/// Everything that was asked for was moved.
fn is_asked(step: &RecipeStep, moved: u64) -> bool {
    let mut lengths = step.arguments.split(',').filter_map(|operand| operand.trim().parse::<u64>().ok());
    lengths.next().is_none_or(|length| length == moved)
}

/// Descriptors, modes and offsets do not tell; nor does what is `SILENT`.
fn tells(operand: &str, of_lengths: bool) -> bool {
    let is_number = operand.bytes().all(|b| b.is_ascii_digit());
    !operand.is_empty()
        && !SILENT.contains(&operand)
        && !operand.starts_with("offset ")
        && (!is_number || of_lengths)
}

fn flags(operand: &str) -> String {
    let told: Vec<_> = operand.split('|').filter(|flag| !SILENT.contains(flag)).collect();
    told.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::step;

    #[test]
    fn what_tells_is_kept() {
        let of = |call: &str, arguments: &str, result: &str| shortened(&step(call, arguments, result));
        assert_eq!(of("openat", "AT_FDCWD, FILE, O_RDONLY|O_CLOEXEC", "7"), "FILE, O_RDONLY|O_CLOEXEC");
        assert_eq!(of("openat", "NEW, O_WRONLY|O_CREAT, 0666", "7"), "NEW, O_WRONLY|O_CREAT");
        assert_eq!(of("fcntl", "7, F_GETFL", "0x8000"), "F_GETFL");
        assert_eq!(of("fcntl", "F_SETFL, O_RDONLY|O_LARGEFILE", "0"), "F_SETFL, O_RDONLY");
        assert_eq!(of("epoll_ctl", "EPOLL_CTL_ADD", "EPERM"), "EPOLL_CTL_ADD → EPERM");
        assert_eq!(of("read", "65536", "65536"), "64 KiB");
        assert_eq!(of("pread64", "65536, offset 4096", "12"), "64 KiB → 12 B");
        assert_eq!(of("read", "65536", "EAGAIN"), "64 KiB → EAGAIN");
        assert_eq!(
            of("mmap", "16777216, PROT_READ, MAP_SHARED, offset 0", "address"),
            "16 MiB, PROT_READ, MAP_SHARED"
        );
        assert_eq!(of("newfstatat", "\"\", AT_EMPTY_PATH", "0"), "AT_EMPTY_PATH");
        assert_eq!(of("close", "7", "0"), "");
    }

    #[test]
    fn long_masks_are_cut() {
        let mask =
            "\"\", AT_EMPTY_PATH, STATX_TYPE|STATX_MODE|STATX_NLINK|STATX_ATIME|STATX_MTIME|STATX_SIZE";
        assert!(crate::wrap::width(&shortened(&step("statx", mask, "0"))) <= WIDTH);
    }
}

//! Numbers as the words that strace has for them; what has no word stays a number.

/// Sets of bits: words for those that are known, a number for the rest, `none` for none.
pub(super) fn bits(value: u32, words: &[(u32, &str)], none: &str) -> String {
    let mut left = value;
    let mut found: Vec<String> = Vec::new();
    for (bits, word) in words {
        if left & bits == *bits {
            found.push((*word).to_owned());
            left &= !bits;
        }
    }
    if left != 0 {
        found.push(format!("{left:#x}"));
    }
    if found.is_empty() { none.to_owned() } else { found.join("|") }
}

/// Flags of an open.
pub(super) fn open_flags(flags: u32) -> String {
    const KNOWN: u32 =
        3 | 0xfc0 | 0x10_1000 | 0x4000 | 0x41_0000 | 0x2_0000 | 0x4_0000 | 0x8_0000 | 0x20_0000;
    const LARGE_FILE: u32 = 0o100_000;
    let mut words = fathom_audit::open_flag_words(flags & KNOWN);
    if flags & LARGE_FILE != 0 {
        words.push_str("|O_LARGEFILE");
    }
    match flags & !KNOWN & !LARGE_FILE {
        0 => words,
        rest => format!("{words}|{rest:#x}"),
    }
}

pub(super) const PROTECTION: [(u32, &str); 3] = [(1, "PROT_READ"), (2, "PROT_WRITE"), (4, "PROT_EXEC")];

pub(super) const MAP: [(u32, &str); 14] = [
    (3, "MAP_SHARED_VALIDATE"),
    (1, "MAP_SHARED"),
    (2, "MAP_PRIVATE"),
    (0x10, "MAP_FIXED"),
    (0x20, "MAP_ANONYMOUS"),
    (0x40, "MAP_32BIT"),
    (0x100, "MAP_GROWSDOWN"),
    (0x800, "MAP_DENYWRITE"),
    (0x2000, "MAP_LOCKED"),
    (0x4000, "MAP_NORESERVE"),
    (0x8000, "MAP_POPULATE"),
    (0x2_0000, "MAP_STACK"),
    (0x4_0000, "MAP_HUGETLB"),
    (0x10_0000, "MAP_FIXED_NOREPLACE"),
];

pub(super) const ACCESS: [(u32, &str); 3] = [(4, "R_OK"), (2, "W_OK"), (1, "X_OK")];

pub(super) const RENAME: [(u32, &str); 3] =
    [(1, "RENAME_NOREPLACE"), (2, "RENAME_EXCHANGE"), (4, "RENAME_WHITEOUT")];

pub(super) const STATX: [(u32, &str); 4] =
    [(0xfff, "STATX_ALL"), (0x7ff, "STATX_BASIC_STATS"), (0x800, "STATX_BTIME"), (0x1000, "STATX_MNT_ID")];

/// What `madvise` is told, by its number.
pub(super) fn memory_advice(advice: i32) -> String {
    const WORDS: [(i32, &str); 10] = [
        (0, "MADV_NORMAL"),
        (1, "MADV_RANDOM"),
        (2, "MADV_SEQUENTIAL"),
        (3, "MADV_WILLNEED"),
        (4, "MADV_DONTNEED"),
        (8, "MADV_FREE"),
        (14, "MADV_HUGEPAGE"),
        (15, "MADV_NOHUGEPAGE"),
        (20, "MADV_COLD"),
        (21, "MADV_PAGEOUT"),
    ];
    let word = WORDS.iter().find(|(number, _)| *number == advice);
    word.map_or_else(|| advice.to_string(), |(_, word)| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_what_has_none() {
        assert_eq!(bits(3, &MAP, "0"), "MAP_SHARED_VALIDATE");
        assert_eq!(bits(0x8000_0022, &MAP, "0"), "MAP_PRIVATE|MAP_ANONYMOUS|0x80000000");
        assert_eq!(bits(0, &PROTECTION, "PROT_NONE"), "PROT_NONE");
        assert_eq!(open_flags(0o100_000 | 0x8_0000), "O_RDONLY|O_CLOEXEC|O_LARGEFILE");
        assert_eq!(open_flags(0x8000_0001), "O_WRONLY|0x80000000");
        assert_eq!((memory_advice(4), memory_advice(77)), ("MADV_DONTNEED".to_owned(), "77".to_owned()));
    }
}

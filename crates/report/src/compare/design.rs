//! The words in which a comparison of two sessions and one of two builds in one
//! session differ.

use fathom_stats::Design;

/// How it was measured, where that is not what a reader expects of two records.
pub(super) fn measured(design: Design) -> Option<&'static str> {
    match design {
        Design::TwoSittings => None,
        Design::Interleaved => {
            Some("interleaved in one session: both builds in the same blocks, in random order")
        }
    }
}

/// Headings of what differs around the results, of what changes from run to run, and
/// what stands where nothing does.
pub(super) fn conditions(design: Design) -> [&'static str; 3] {
    match design {
        Design::TwoSittings => [
            "What differs beside the results, and may be the cause:",
            "From run to run:",
            "Machine, programs and places are the same, as far as the records tell.",
        ],
        Design::Interleaved => [
            "What differs between the builds, by their own account:",
            "Where they lie:",
            "The two builds call themselves the same: version, toolchain and sources do not differ.",
        ],
    }
}

/// Heading and tail of what one side alone has, the old one first.
pub(super) fn alone(design: Design) -> [(&'static str, &'static str); 2] {
    match design {
        Design::TwoSittings => [
            ("Only in the old record:", "not judged by any gate"),
            ("Only in the new record:", "not judged by any gate"),
        ],
        Design::Interleaved => [
            ("Only the old build has results of:", "so that no gate holds"),
            ("Only the new build has results of:", "not judged by any gate"),
        ],
    }
}

/// What nothing in common means.
pub(super) fn nothing(design: Design) -> &'static str {
    match design {
        Design::TwoSittings => "Nothing matched: the records have no variant in common.",
        Design::Interleaved => "Nothing was compared: no method was measured with both builds.",
    }
}

/// What the intervals of times are.
pub(super) fn intervals(design: Design) -> &'static str {
    match design {
        Design::TwoSittings => {
            "Two records are two sessions: forks are unpaired, each side has an interval of its own and \
             new/old joins them. It also holds whatever else changed on the machine meanwhile. The ratio to \
             the baseline is paired inside each record, so that the machine's drift cancels."
        }
        Design::Interleaved => {
            "Both builds run in the same blocks: new/old is paired there, so that what the machine does to \
             both cancels. It is the median over forks (fresh processes of both), and the interval covers at \
             all numbers of forks, whenever one stops."
        }
    }
}

//! The sets of programs whose authors saw no rule: where one is, and what docs/audit-corpus.md says
//! of it before the figures.

use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// A set; each has a part of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlindSet {
    /// tests/corpus-blind
    Second,
    /// tests/corpus-third
    Third,
    /// tests/corpus-fourth
    Fourth,
    /// tests/corpus-fifth
    Fifth,
    /// tests/corpus-sixth
    Sixth,
    /// tests/corpus-seventh
    Seventh,
    /// tests/corpus-eighth
    Eighth,
    /// tests/corpus-ninth
    Ninth,
    /// tests/corpus-tenth
    Tenth,
    /// tests/corpus-eleventh
    Eleventh,
    /// tests/corpus-twelfth
    Twelfth,
}

impl BlindSet {
    /// In the order of the page.
    pub(crate) const ALL: [Self; 11] = [
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
        Self::Ninth,
        Self::Tenth,
        Self::Eleventh,
        Self::Twelfth,
    ];

    /// Its name, as `--set` has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Third => "third",
            Self::Fourth => "fourth",
            Self::Fifth => "fifth",
            Self::Sixth => "sixth",
            Self::Seventh => "seventh",
            Self::Eighth => "eighth",
            Self::Ninth => "ninth",
            Self::Tenth => "tenth",
            Self::Eleventh => "eleventh",
            Self::Twelfth => "twelfth",
        }
    }

    /// Its folder, from the top of the repository.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Second => "tests/corpus-blind",
            Self::Third => "tests/corpus-third",
            Self::Fourth => "tests/corpus-fourth",
            Self::Fifth => "tests/corpus-fifth",
            Self::Sixth => "tests/corpus-sixth",
            Self::Seventh => "tests/corpus-seventh",
            Self::Eighth => "tests/corpus-eighth",
            Self::Ninth => "tests/corpus-ninth",
            Self::Tenth => "tests/corpus-tenth",
            Self::Eleventh => "tests/corpus-eleventh",
            Self::Twelfth => "tests/corpus-twelfth",
        }
    }

    /// What its last run came to, kept for `--kept`.
    pub(crate) fn kept(self, top: &Path, capture: &str) -> PathBuf {
        top.join(format!("target/corpus-blind-{}-{capture}.json", self.name()))
    }

    /// Before its part of the page.
    pub(crate) fn begin(self) -> String {
        format!("<!-- {} corpus: begin -->", self.name())
    }

    /// Behind its part of the page.
    pub(crate) fn end(self) -> String {
        format!("<!-- {} corpus: end -->", self.name())
    }

    /// Its part of a page, between its markers; empty where there is none.
    pub(crate) fn part_of(self, page: &str) -> String {
        let (begin, end) = (self.begin(), self.end());
        let part = page.split_once(&begin).and_then(|(_, rest)| rest.split_once(&end));
        part.map_or_else(String::new, |(part, _)| part.trim().to_owned())
    }

    /// What its part of the page begins with.
    pub(super) fn introduction(self) -> String {
        let history = match self {
            Self::Second => SECOND,
            Self::Third => THIRD,
            Self::Fourth => FOURTH,
            Self::Fifth => FIFTH,
            Self::Sixth => SIXTH,
            Self::Seventh => SEVENTH,
            Self::Eighth => EIGHTH,
            Self::Ninth => NINTH,
            Self::Tenth => TENTH,
            Self::Eleventh => ELEVENTH,
            Self::Twelfth => TWELFTH,
        };
        let is_free = matches!(self, Self::Eleventh | Self::Twelfth);
        let (written, list) = if is_free { ("after", "") } else { ("before", ONE_LIST) };
        format!(
            "{history}\n\
             - A waste is **reported** when a rule of which a sentence names it (`{}/rules.toml`, written {written} the first run) finds something in the wasteful program and at most half as much in its partner. What is set apart as negligible is not reported.\n\
             {DEFINITIONS}{list}",
            self.folder()
        )
    }
}

const SECOND: &str = "\
## The second corpus

The programs of `tests/corpus-blind` were written by somebody who had seen neither the rules nor the code nor this page: 54 wastes were named in plain words, and the programs are what a careless programmer would write. Each wasteful program has a partner without its waste; innocent programs
only look wasteful. No rule was changed because of how one of these programs is judged. After the first scoring (recall 63.6 %, then 79.1 % with rules that were under way) those who write rules were told *which wastes* were missed, in the words of the list below, and improved their rules by some 280 programs
of their own; so the figures below say how far rules reach beyond the programs they were made with, and less of wastes that nobody has named yet. This part is written by `cargo run -p xtask -- corpus --blind`.
";

const THIRD: &str = "\
## The third corpus

The programs of `tests/corpus-third` were written by another author who had seen neither the rules nor the code, this page or the programs above, from a list of 56 wastes in plain words: the 54 of the second corpus and two more. Which rules may report which waste was committed before the programs were.
**First contact**, with the rules of commit 0bdab2b, none of which was changed for it: recall **85.6 %** (119 of 139; 2 more set apart as negligible), exit code 1 for 26 wasteful programs, 0 of 139 clean ones, 1 of 31 innocent ones and 2 of 60 installed ones; of 30 findings that fail a run 28 are right. `54-sql-loader` is not among the 119: R45 finds its 30 files,
but in /tmp, where the order counts nothing for that waste. When the figures below differ from these, rules have changed since. This part is written by `cargo run -p xtask -- corpus --blind --set third`.
";

const FOURTH: &str = "\
## The fourth corpus

The programs of `tests/corpus-fourth` were written by two further authors who had seen neither the rules nor the code, this page or any other program but one, from the same 56 wastes. Which rules may report which waste was committed before any was run or looked at by those who write rules.
**First contact**, with the rules of commit 7bc9f9e, none of which was changed for it: recall **88.9 %** (120 of 135), exit code 1 for 22 wasteful programs by their waste, 3 of 135 clean ones, 2 of 31 innocent ones and 2 of 60 installed ones; of 30 findings that fail a run 29 are right. The three clean programs sync a file and rename it,
and never sync the directory, as their author had said before (`tests/corpus-fourth/README.md`). What fails a run was judged by a reader who had written neither rules nor programs.
**An error of that count:** the four wasteful bash scripts, with their partners, and one innocent one were never run: `waste.bash` was looked for as `waste.sh`. Run by the rules of commit 76894a5, of which R45, R52 and R72 are those of 7bc9f9e, three of the four are found: 123 of 135 (91.1 %) would have been right.
**Spent:** each miss was then looked at, and rules were changed because of them (R13, R21, R33, R43, R47, R51, R60, R70, R74). The figures below are those of programs that rules were made with; they say nothing of programs that nobody has seen. This part is written by `cargo run -p xtask -- corpus --blind --set fourth`.
";

const FIFTH: &str = "\
## The fifth corpus

The programs of `tests/corpus-fifth` were written by two further authors who had seen neither the rules nor the code, this page or any program above, from the same 56 wastes: 105 wasteful ones with partners, 36 innocent ones and 50 commands, in 12 languages. Which rules may report which waste was committed before any was run or looked at by those who write rules.
**First contact**, with the rules of commit e69d95e, none of which was changed for it: recall **88.6 %** (93 of 105), exit code 1 for 20 wasteful programs by their waste, 0 of 105 clean ones, 1 of 36 innocent ones and 0 of 50 installed ones; all 21 findings that fail a run are right. Of five of the twelve that are not reported the authors had said before any run
what may be held against them (01-ringtone-catalog, 04-kitchen-tickets: the partner's runtime makes such calls too; 15-spectra-bins: seen from outside it is another waste; 19-weather-cards: it costs little; 47-tram-lookup: an index, not bytecode). What fails a run was judged by a reader who had written neither rules nor programs, and only the names of misses were looked at.
**Spent:** the twelve misses were then looked at, and rules were changed because of them (R04, R06, R31, R33, R45, R48, R60). The figures below say nothing of programs that nobody has seen.
This part is written by `cargo run -p xtask -- corpus --blind --set fifth`.
";

const SIXTH: &str = "\
## The sixth corpus

The programs of `tests/corpus-sixth` were written by two further authors who had seen neither the rules nor the code, this page or any program above, from the same 56 wastes: 84 wasteful ones with partners, 24 innocent ones and 50 commands, in 12 languages. Which rules may report which waste, the same as for the fifth set, was committed before any was run or looked at by those who write rules.
**First contact**, with the rules of commit b35aedf, none of which was changed for it: recall **90.5 %** (76 of 84; 1 more set apart as negligible), exit code 1 for 17 wasteful programs by their waste, 0 of 84 clean ones, 1 of 24 innocent ones and 1 of 50 installed ones; of 19 findings that fail a run 18 are right (94.7 %; with those of the fifth set, 39 of 40).
What fails a run was judged by a reader who had written neither rules nor programs, and only the names of misses were looked at. When the figures below differ from these, rules have changed since.
This part is written by `cargo run -p xtask -- corpus --blind --set sixth`.
";

const SEVENTH: &str = "\
## The seventh corpus

The programs of `tests/corpus-seventh` were written by two further authors who had seen neither the rules nor the code, this page or any program above, from the same 56 wastes: 66 wasteful ones with partners, 16 innocent ones and 50 commands, in 12 languages. Which rules may report which waste, the same as for the sixth set, was committed before any was run or looked at by those who write rules.
**First contact**, with the rules of commit 3711c7f, none of which was changed for it: recall **92.4 %** (61 of 66; 1 more set apart as negligible), exit code 1 for 11 wasteful programs by their waste, 1 of 66 clean ones, 0 of 16 innocent ones and **6 of 50** installed ones; of 18 findings that fail a run 15 are right (**83.3 %**; with those of the fifth and sixth sets 54 of 58, 93.1 %). Of the three sets together recall is 90.2 % (230 of 255), and 7 of 150 installed programs fail.
Of the three that are wrong two are R58 where a later sync carries the rename in practice, and one is R16 for the modules that Perl itself looks for. What fails a run was judged by a reader who had written neither rules nor programs, and only the names of misses were looked at. When the figures below differ from these, rules have changed since.
This part is written by `cargo run -p xtask -- corpus --blind --set seventh`.
";

const EIGHTH: &str = "\
## The eighth corpus

The programs of `tests/corpus-eighth` were written by three further authors who had seen neither the rules nor the code, this page or any program above, from the same 56 wastes: 97 wasteful ones with partners, 30 innocent ones and 100 commands, in 12 languages. Which rules may report which waste, the same as for the seventh set, was committed before any was run or looked at by those who write rules.
**First contact**, with the rules of commit c238b90f, none of which was changed for it: recall **88.7 %** (86 of 97; 1 more set apart as negligible), exit code 1 for 19 wasteful programs by their waste, 3 of 97 clean ones, 1 of 30 innocent ones and 5 of 100 installed ones; of 28 findings that fail a run 24 are right (**85.7 %**). Of the fifth to eighth sets together recall is 89.8 % (316 of 352), 78 of 86 findings that fail a run are right (90.7 %), and 12 of 250 installed programs fail.
Of the four that are wrong two are R50 where what could not be written is written elsewhere, one is R60 where each page is copied into a file beside it first, and one is R58 of a cache that is made again. What fails a run was judged by a reader who had written neither rules nor programs, and only the names of misses were looked at. When the figures below differ from these, rules have changed since.
This part is written by `cargo run -p xtask -- corpus --blind --set eighth`.
";

const NINTH: &str = "\
## The ninth corpus

The programs of `tests/corpus-ninth` were written by three further authors who had seen neither the rules nor the code, this page or any program above, from the same 56 wastes: 80 wasteful ones with partners, 32 innocent ones and 100 commands, in 12 languages. Which rules may report which waste, the same as for the eighth set, was committed before any was run or looked at by those who write rules.
**First contact**, with the rules of commit f99082b, none of which was changed for it: recall **88.8 %** (71 of 80; 1 more set apart as negligible), exit code 1 for 15 wasteful programs by their waste, 0 of 80 clean ones, 2 of 32 innocent ones and 5 of 98 installed ones (two more could not be run: the Python here had not the modules of their author's); of 25 findings that fail a run 20 are right (**80.0 %**).
Of the five that are wrong three are R58 of tools (gsettings, git fast-import, chromium) where a crash loses the last change alone, one is R47 of a cache that is made again and one R59 where the removal is the commit. Two of the nine programs that are not reported are of guessable names (34): their author was told to keep to a directory below /tmp, made it one where all may write, and the rule knows such directories by their names.
Of the fifth to ninth sets together, each at its first contact, recall is 89.6 % (387 of 432), 98 of 111 findings that fail a run are right (88.3 %), and 17 of 348 installed programs fail (4.9 %).
What fails a run was judged by a reader who had written neither rules nor programs, and only the names of misses were looked at.
**Spent:** the misses and the wrong findings were then looked at, and rules were changed because of them (R33, R42, R47, R56, R58, R59, R60, R70, R72). The figures below are those of first contact, and say nothing of these rules.
This part is written by `cargo run -p xtask -- corpus --blind --set ninth`.
";

const TENTH: &str = "\
## The tenth corpus

The programs of `tests/corpus-tenth` were written by three further authors who had seen neither the rules nor the code, this page or any program above, from the same 56 wastes: 80 wasteful ones with partners, 32 innocent ones and 100 commands, in 12 languages. Which rules may report which waste, the same as for the ninth set, was committed before any was run or looked at by those who write rules.
**First contact**, with the rules of commit 1a77c94d, none of which was changed for it: recall **90.0 %** (72 of 80; 1 more set apart as negligible), exit code 1 for 15 wasteful programs by their waste, 2 of 80 clean ones, 1 of 32 innocent ones and **4 of 100** installed ones; of 26 findings that fail a run 25 are right (**96.2 %**), all 6 of installed programs among them.
The one that is wrong is R69 of a meter whose purpose it is to have each record on the device. 26 findings are few: with 95 % confidence at least 81 of 100 such findings are right (Wilson; of recall, the same), and one of the 25 (R50 of 30-turnpike-receipts) was a close call. Of the fifth to tenth sets together, each at its first contact and so by rules of its time, recall is 89.6 % (459 of 512), 123 of 137 findings that fail a run are right (89.8 %), and 21 of 448 installed programs fail (4.7 %).
What fails a run was judged by a reader who had written neither rules nor programs, and only the names of misses were looked at. When the figures below differ from these, rules have changed since.
This part is written by `cargo run -p xtask -- corpus --blind --set tenth`.
";

const ELEVENTH: &str = "\
## The eleventh corpus

The programs of `tests/corpus-eleventh` were written by one author who had seen neither the rules nor the code, this page or any program above, and **no list of wastes** either: 30 wasteful ones, each with a waste of the author's own choice, with partners, 12 innocent ones and 40 commands, in 10 languages. Which rule names which waste was judged **after** the first run, by one reader of programs and findings: it could not be written before, as in the sets above.
**First contact**, with the rules of commit 5c7ec22b, none of which was changed for it: recall **80.0 %** (24 of 30), exit code 1 for 10 wasteful programs (8 of them by their waste), 2 of 30 clean ones, 0 of 12 innocent ones and 2 of 40 commands; of 17 findings that fail a run (by program and rule) 12 are right (**70.6 %**; Wilson, 95 %: 46.9 to 86.7), 12 of 15 without the commands.
Six wastes are named by no finding: a lock taken for each line of a batch (08), a state file replaced for each message (10), the same text written into a file again and again (16), a mode set by a second call after creation (24, Ruby), files read whole of which the first line is used (25, Ruby), and unlinks of files that are not there (26).
Of the five that are wrong three are R47 of an index and of cached pages that each run makes again (close calls: with another reader all three could be right, 15 of 17), and two are R20 of gcc's own compilers, true and less than 1 % of the compile.
**Spent:** the misses were then looked at, and rules were written or changed because of them (R10, R13, R15, R47, R75, R76, R77). The figures below are those of first contact, and say nothing of these rules.
This part is written by `cargo run -p xtask -- corpus --blind --set eleventh`.
";

const TWELFTH: &str = "\
## The twelfth corpus

The programs of `tests/corpus-twelfth` were written by two authors who had seen neither the rules nor the code, this page or any program above, and no list of wastes: 30 wasteful ones, each with a waste of its author's own choice, with partners, 16 innocent ones and 50 commands, in 13 languages. With each wasteful program its author wrote, **before the audit was run on any**, what a finding has to say to name its waste and what would not be enough (`counts` in its `case.toml`). Which rules name which waste is judged **after** the first run, by a reader who holds each finding against those words.
**First contact**, with the program of commit 0961e17c, of which nothing was changed for it: recall **76.7 %** (23 of 30; Wilson, 95 %: 59.1 to 88.2), exit code 1 for 7 wasteful programs (6 of them by their waste), **0 of 30** clean ones, **0 of 16** innocent ones and 4 of 50 commands; of 12 findings that fail a run (by program and rule) 9 are right (75.0 %; 46.8 to 91.1), **8 of 8** without the commands.
Seven wastes are named by no finding: an archive opened anew for each member (05, Java), free space asked for each part (06, Java), temporary files written, read back and removed within one process (11, Python; 30, PHP), a directory listed again for each job (15, Ruby), settings looked for in every directory above each file (18, Node; a finding that fails the run says so of missing names in listed directories alone, which its author calls not enough), and a catalogue opened and mapped for each look-up (25, C++).
Of the three that are wrong two are R20 of gcc's own compilers, true and a percent or a few of the work, and one is R37 of `git log`, half a millisecond.
**False words** that fail nothing were found in three rules: R32 of a buffer that does not grow (01), R36 of a program that rewinds to write what others read (75), R38 of pieces that follow each other (05's partner).
**Spent:** 25 was looked at afterwards, and R23 sees files that are mapped; R32 was made true of 01. The figures are those of first contact.
This part is written by `cargo run -p xtask -- corpus --blind --set twelfth`.
";

const DEFINITIONS: &str = "\
- A finding **fails a run** when it makes `fathom audit` exit with 1, by default settings and without a price list. It is right when it reports the waste that the program was written for, or when a reader, reading the program and the calls, found that it is true and worth acting on.
";

/// Of the sets whose authors were given the list.
const ONE_LIST: &str = "\
- Programs of the same list of wastes were in the mind of both authors: the wastes are not a sample of all there are, and these shares are not those of all programs.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_has_a_part_of_its_own_on_the_page() {
        let page = std::fs::read_to_string(Path::new(super::super::super::TOP).join("docs/audit-corpus.md"));
        let page = page.unwrap();
        for set in BlindSet::ALL {
            assert!(set.part_of(&page).starts_with(&format!("## The {} corpus\n", set.name())));
        }
    }

    #[test]
    fn a_page_without_a_set_has_an_empty_part() {
        assert_eq!(BlindSet::Third.part_of("x"), "");
        let page = format!("a {} b {} c", BlindSet::Third.begin(), BlindSet::Third.end());
        assert_eq!(BlindSet::Third.part_of(&page), "b");
    }
}

//! By what a runtime's own calls are told from those of the program it runs: data of
//! `knowledge.toml`.

use crate::call_key::TERMINAL_SETTINGS;
use fathom_events::{FileAction, FileEvent, Target, Whence};
use serde::Deserialize;

/// So many calls on one open file are looked at.
const TRAIL_CALLS: u32 = 16;
/// Bits of one call in a trail.
const CALL_BITS: u32 = 4;

/// Signs of one runtime.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Signs {
    /// Parts of paths that are its own.
    #[serde(default)]
    paths: Vec<String>,
    /// Endings of what it loads as code.
    #[serde(default)]
    loads: Vec<String>,
    /// Flags with which it alone opens those.
    #[serde(default)]
    pub(crate) load_flags: u32,
    /// What it loads as code it asks for twice, the second time without following a link.
    #[serde(default)]
    pub(crate) asks_twice: bool,
    /// It looks at the script it was started with, and opens it twice, before that runs.
    #[serde(default)]
    pub(crate) looks_at_script: bool,
    /// Before its reader reads on, it asks what is left: what the file is, then the position.
    #[serde(default)]
    pub(crate) asks_what_is_left: bool,
    /// Behind what it was told is the size it asks for one byte more.
    #[serde(default)]
    pub(crate) probes_by_a_byte: bool,
    /// Endings of archives that it reads from their end.
    #[serde(default)]
    archives: Vec<String>,
    /// It asks again for directories that it loaded code from, and for the current one, before
    /// it looks into them.
    #[serde(default)]
    pub(crate) asks_directories: bool,
    /// What is asked of standard streams that it was started with, it asks.
    #[serde(default)]
    pub(crate) asks_streams: bool,
    /// It asks again what a command is, around the question whether it may be executed.
    #[serde(default)]
    pub(crate) asks_commands: bool,
    /// It asks of a path whether it is a link before it opens it.
    #[serde(default)]
    pub(crate) asks_links: bool,
    /// What a name ends in that it looks for beside the source that it is to load: `.pmc` beside
    /// `.pm`. Nobody else looks for that.
    #[serde(default)]
    pub(crate) beside: String,
    /// It makes a path whole before it uses it: asks of each directory whether it is a link.
    #[serde(default)]
    pub(crate) walks_paths: bool,
    /// Calls that it makes on a file, from the open on, in their order.
    #[serde(default)]
    trails: Vec<Trail>,
}

/// Calls on an open file in their order, the open itself not among them; reads that follow
/// each other are one, and so are writes. A `fill` is a read of a whole buffer, which a program
/// that reads in small pieces does not make. From the lowest bits up, 0 where there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Trail(u64);

impl Signs {
    /// True of a path that is the runtime's own.
    pub(crate) fn owns(&self, path: &str) -> bool {
        self.paths.iter().any(|part| path.contains(part.as_str()))
    }

    /// True of a runtime that loads code while it runs.
    pub(crate) fn loads_code(&self) -> bool {
        !self.loads.is_empty()
    }

    /// True of the name of what it may load as code.
    pub(crate) fn loads(&self, name: &str) -> bool {
        self.loads.iter().any(|ending| name.ends_with(ending.as_str()))
    }

    /// The ending by which a name is one of what it may load as code.
    pub(crate) fn ending_of(&self, name: &str) -> Option<&str> {
        self.loads.iter().map(String::as_str).find(|ending| name.ends_with(ending))
    }

    /// True of the name of an archive of the kind that it reads.
    pub(crate) fn reads_archive(&self, name: &str) -> bool {
        self.archives.iter().any(|ending| name.ends_with(ending.as_str()))
    }

    /// The trail with one call more, where the runtime makes such a call there.
    pub(crate) fn next(&self, trail: Trail, event: &FileEvent) -> Option<Trail> {
        let kind = kind(event)?;
        let fill = matches!(event.action, FileAction::Read { bytes, .. } if bytes >= BUFFER_BYTES);
        let kinds = (kind == READ && fill).then_some(FILL).into_iter().chain([kind]);
        kinds
            .filter_map(|kind| trail.with(kind))
            .find(|next| self.trails.iter().any(|known| known.begins_with(*next)))
    }

    /// True of the name of what it alone looks for, beside a source.
    pub(crate) fn is_beside(&self, name: &str) -> bool {
        !self.beside.is_empty() && name.ends_with(self.beside.as_str())
    }
}

impl Trail {
    fn length(self) -> u32 {
        (u64::BITS - self.0.leading_zeros()).div_ceil(CALL_BITS)
    }

    fn with(self, kind: u64) -> Option<Self> {
        let length = self.length();
        let last = if length == 0 { 0 } else { self.0 >> ((length - 1) * CALL_BITS) };
        if last == kind && REPEATED.contains(&kind) {
            return Some(self);
        }
        (length < TRAIL_CALLS).then(|| Self(self.0 | kind << (length * CALL_BITS)))
    }

    fn begins_with(self, other: Self) -> bool {
        let bits = other.length() * CALL_BITS;
        bits == u64::BITS && self == other || self.0 & ((1 << bits) - 1) == other.0
    }
}

/// The words of calls; their numbers are their places here, from 1.
const WORDS: [&str; 8] = ["fstat", "isatty", "tell", "seek", "end", "read", "write", "fill"];
const READ: u64 = 6;
const WRITE: u64 = 7;
const FILL: u64 = 8;
const REPEATED: [u64; 3] = [READ, WRITE, FILL];
/// The least that a runtime's buffer holds.
const BUFFER_BYTES: u64 = 4096;

impl TryFrom<String> for Trail {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.split_whitespace().try_fold(Self::default(), |trail, word| {
            let number = (1..).zip(WORDS).find(|(_, known)| *known == word).map(|(number, _)| number);
            let number = number.ok_or_else(|| format!("`{word}` is no call of a trail"))?;
            trail.with(number).ok_or_else(|| format!("`{text}` has too many calls"))
        })
    }
}

fn kind(event: &FileEvent) -> Option<u64> {
    Some(match &event.action {
        FileAction::Stat { target: Target::Descriptor(_), .. } => 1,
        FileAction::DeviceControl { request: TERMINAL_SETTINGS, .. } => 2,
        FileAction::Seek { offset: 0, whence: Whence::Current, .. } => 3,
        FileAction::Seek { whence: Whence::End, .. } => 5,
        FileAction::Seek { .. } => 4,
        FileAction::Read { offset: None, .. } => READ,
        FileAction::Write { offset: None, .. } => WRITE,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Finding, Owner, RuleId};
    use crate::path_set::PathSet;
    use crate::rule::Guards;
    use crate::script::{READ, Script};
    use fathom_events::FileKind;

    fn trail(text: &str) -> Trail {
        Trail::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn what_the_jdks_readers_ask_by_themselves_is_the_runtimes() {
        let read = |script: &mut Script, file: i32, _: &str| {
            script.fstat(file, 900);
            script.read(file, 900, 900);
            script.read(file, 1, 0);
        };
        assert_eq!(owners(31, "/usr/bin/java", read), [(Owner::Runtime, 300)], "Files.readString");
        assert_eq!(owners(31, "/usr/bin/tool", read), [(Owner::Yours, 300)]);
        let left = |script: &mut Script, file: i32, _: &str| {
            script.read(file, 8192, 900);
            script.fstat(file, 900);
            script.seek(file, 0, Whence::Current, 900);
        };
        assert_eq!(owners(5, "/usr/bin/java", left), [(Owner::Runtime, 300)], "BufferedReader.readLine");
        let asked = |script: &mut Script, file: i32, _: &str| {
            script.read(file, 8192, 900);
            script.seek(file, 0, Whence::Current, 900);
        };
        assert_eq!(owners(5, "/usr/bin/java", asked), [(Owner::Yours, 300)], "RandomAccessFile");
    }

    #[test]
    fn a_trail_begins_with_its_first_calls() {
        let whole = trail("fstat isatty tell fstat read");
        assert!(whole.begins_with(trail("fstat isatty")) && whole.begins_with(Trail::default()));
        assert!(!whole.begins_with(trail("fstat tell")));
        assert_eq!(trail("read read read"), trail("read"));
        assert!(Trail::try_from("stat".to_owned()).is_err());
        assert!(Trail::try_from("fstat tell ".repeat(9)).is_err());
    }

    /// Whose the findings of a rule are, in a program of that name that opens 300 files and then
    /// makes calls on each.
    fn owners(rule: u16, program: &str, each: impl Fn(&mut Script, i32, &str)) -> Vec<(Owner, u64)> {
        let found = findings(|script| {
            script.load(program);
            for number in 0..300 {
                let path = format!("/data/{number}");
                let file = script.open(&path, READ);
                each(script, file, &path);
                script.close(file);
            }
        });
        let of_rule = found.iter().filter(|finding| finding.rule == RuleId(rule));
        of_rule.map(|finding| (finding.owner, finding.count)).collect()
    }

    #[test]
    fn perl_asks_what_it_opens_and_a_program_that_reads_bytes_is_told_from_it() {
        let opened = |script: &mut Script, file: i32| {
            script.is_terminal(file);
            script.seek(file, 0, Whence::Current, 0);
            script.fstat(file, 100);
        };
        let line_by_line = |script: &mut Script, file: i32, _: &str| {
            opened(script, file);
            script.read(file, 8192, 100);
            script.read(file, 8192, 0);
        };
        assert_eq!(owners(5, "/usr/bin/perl", line_by_line), [(Owner::Runtime, 300)]);
        let byte_by_byte = |script: &mut Script, file: i32, _: &str| {
            opened(script, file);
            (0..100).for_each(|_| script.read(file, 1, 1));
        };
        assert_eq!(owners(28, "/usr/bin/perl", byte_by_byte), [(Owner::Yours, 30_000)], "sysread of a byte");
        let asks_again = |script: &mut Script, file: i32, _: &str| {
            opened(script, file);
            script.read(file, 8192, 100);
            script.is_terminal(file);
        };
        assert!(
            owners(4, "/usr/bin/perl", asks_again).contains(&(Owner::Yours, 300)),
            "-t of the program's own"
        );
    }

    #[test]
    fn what_is_written_the_program_writes() {
        let few_bytes = |script: &mut Script, file: i32, _: &str| {
            script.is_terminal(file);
            script.seek(file, 0, Whence::Current, 0);
            script.fstat(file, 0);
            (0..100).for_each(|_| script.write(file, 2));
        };
        // Perl with `$|`.
        assert_eq!(owners(29, "/usr/bin/perl", few_bytes), [(Owner::Yours, 30_000)]);
        let found = findings(|script| {
            script.load("/usr/bin/php8.2");
            script.stat("/srv/app/settings.ini", 6000);
            let file = script.open("/srv/app/settings.ini", crate::script::TRUNCATE);
            script.fstat(file, 0);
            script.seek(file, 0, Whence::Current, 0);
            script.write(file, 6000);
            script.close(file);
        });
        let rewritten = found.iter().find(|finding| finding.rule == RuleId(47));
        assert_eq!(rewritten.map(|finding| finding.owner), Some(Owner::Yours), "file_put_contents");
    }

    #[test]
    fn ruby_and_php_ask_what_they_open() {
        let ruby = |script: &mut Script, file: i32, _: &str| {
            script.is_terminal(file);
            script.fstat(file, 100);
            script.seek(file, 0, Whence::Current, 0);
            script.read(file, 100, 100);
            script.read(file, 8192, 0);
        };
        for rule in [5, 31] {
            let found = owners(rule, "/usr/bin/ruby3.1", ruby);
            assert_eq!(found, [(Owner::Runtime, 300)], "{rule}");
        }
        let php = |script: &mut Script, file: i32, _: &str| {
            script.fstat(file, 100);
            script.seek(file, 0, Whence::Current, 0);
            script.fstat(file, 100);
            script.read(file, 8292, 100);
            script.read(file, 8192, 0);
        };
        for rule in [3, 5] {
            let found = owners(rule, "/usr/bin/php8.2", php);
            assert_eq!(found, [(Owner::Runtime, 300)], "{rule}");
        }
    }

    #[test]
    fn php_asks_for_links_before_it_opens_and_who_asked_before_is_the_program() {
        let pairs = |asks: bool| {
            let found = findings(|script| {
                script.load("/usr/bin/php8.2");
                for number in 0..300 {
                    let path = format!("/data/{number}");
                    if asks {
                        script.access(&path);
                    }
                    script.works("getcwd", FileAction::CurrentDirectory { path: None });
                    script.lstat(&path, 100);
                    let file = script.open(&path, READ);
                    script.read(file, 8192, 100);
                    script.close(file);
                }
            });
            let of = |rule: u16| {
                let of_rule = found.iter().filter(|finding| finding.rule == RuleId(rule));
                of_rule.map(|finding| (finding.owner, finding.count)).collect::<Vec<_>>()
            };
            assert_eq!(of(27), [(Owner::Runtime, 299)], "it makes relative paths whole");
            of(13)
        };
        assert_eq!(pairs(false), [(Owner::Runtime, 300)]);
        assert_eq!(pairs(true), [(Owner::Yours, 300)], "file_exists, then fopen");
    }

    #[test]
    fn what_perl_looks_for_to_load_it_is_the_runtimes() {
        let searched = |require: bool| {
            let mut script = Script::new();
            script.load("/usr/bin/perl");
            let main = script.open("/srv/app/main.pl", READ);
            script.read(main, 8192, 100);
            for _ in 0..4 {
                for folder in ["/srv/app/lib", "/srv/app/vendor"] {
                    if require {
                        script.stat_fails(&format!("{folder}/Foo.pmc"));
                    }
                    script.stat_fails(&format!("{folder}/Foo.pm"));
                }
            }
            let missing = script.findings_of(RuleId(16), Guards::default());
            missing.iter().map(|finding| (finding.owner, finding.count)).collect::<Vec<_>>()
        };
        assert_eq!(searched(true), [(Owner::Runtime, 12)]);
        assert_eq!(searched(false), [(Owner::Yours, 6)], "-e of a program that has modules as data");
    }

    #[test]
    fn a_shell_reads_byte_by_byte_and_its_script_opens_for_each_line() {
        let read = |program: &str| {
            owners(28, program, |script, file, _| (0..100).for_each(|_| script.read(file, 1, 1)))
        };
        assert_eq!(read("/usr/bin/dash"), [(Owner::Runtime, 30_000)]);
        assert_eq!(read("/usr/bin/dashboard"), [(Owner::Yours, 30_000)], "no shell");
        let log = findings(|script| {
            script.load("/usr/bin/bash");
            for _ in 0..40 {
                let log = script.open("/srv/log", crate::script::WRITE | 0x400);
                script.write(log, 20);
                script.close(log);
            }
        });
        let own = log.iter().filter(|finding| finding.rule == RuleId(68) && finding.owner == Owner::Yours);
        assert_eq!(own.count(), 1, "{log:#?}");
    }

    fn findings(program: impl FnOnce(&mut Script)) -> Vec<Finding> {
        let mut script = Script::new();
        program(&mut script);
        script.findings(Guards::default())
    }

    #[test]
    fn a_question_of_the_program_is_told_from_those_of_its_runtime() {
        let found = findings(|script| {
            script.load("/usr/bin/python3.11");
            for number in 0..3 {
                let file = script.open(&format!("/data/{number}"), READ);
                script.fstat(file, 49);
                script.is_terminal(file);
                script.seek(file, 0, Whence::Current, 0);
                if number == 1 {
                    // os.fstat(f.fileno())
                    script.fstat(file, 49);
                }
                script.seek(file, 0, Whence::Current, 0);
                script.fstat(file, 49);
                script.read(file, 50, 49);
                script.close(file);
            }
        });
        let again = found.iter().filter(|finding| finding.rule == RuleId(3));
        let mut told: Vec<_> = again.map(|finding| (finding.owner, finding.count)).collect();
        told.sort_unstable();
        assert_eq!(told, [(Owner::Yours, 1), (Owner::Runtime, 3)]);
    }

    #[test]
    fn what_import_asks_of_its_search_path_is_the_runtimes() {
        let found = findings(|script| {
            script.load("/usr/bin/python3.11");
            let target = script.target("/srv/app");
            script.works("chdir", FileAction::ChangeDirectory { target });
            for number in 0..4 {
                script.stat_as("/usr/lib/python3.11", FileKind::Directory, 4096);
                script.stat_as("/srv/app", FileKind::Directory, 4096);
                script.stat_as("/srv/data", FileKind::Directory, 4096);
                // What it asks for right before a directory of Python's own is searched for modules, too.
                script.stat(&format!("/srv/data/{number}"), 99);
            }
        });
        let mut told: Vec<_> =
            found.iter().map(|finding| (finding.rule.0, finding.owner, finding.count)).collect();
        told.sort_unstable();
        assert_eq!(told, [(15, Owner::Yours, 3), (15, Owner::Runtime, 6)], "{found:#?}");
    }

    #[test]
    fn python_is_told_by_its_program_and_its_waste_is_the_runtimes() {
        let found = findings(|script| {
            script.load("/usr/bin/python3.11");
            let file = script.open("/data/a.txt", READ);
            script.fstat(file, 49);
            script.is_terminal(file);
            script.seek(file, 0, Whence::Current, 0);
            script.seek(file, 0, Whence::Current, 0);
            script.fstat(file, 49);
            script.read(file, 50, 49);
            script.read(file, 1, 0);
            script.close(file);
        });
        let told: Vec<_> =
            found.iter().map(|finding| (finding.rule.0, finding.count, finding.owner)).collect();
        let own = Owner::Runtime;
        assert_eq!(told, [(5, 2, own), (3, 1, own), (4, 1, own), (31, 1, own)], "{found:#?}");
        assert!(
            found
                .iter()
                .all(|finding| finding.place.paths.as_ref().and_then(PathSet::single) == Some("/data/a.txt"))
        );
        assert!(found[0].references[0].starts_with("cpython"));
    }
}

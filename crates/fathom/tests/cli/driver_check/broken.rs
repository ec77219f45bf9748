//! Ways to break the documented driver, and what the conformance list must say
//! of each.

/// One alteration of docs/examples/driver.pl.
pub(crate) struct Broken {
    /// What is wrong then.
    pub(crate) what: &'static str,
    /// The text that is replaced; it stands there once.
    pub(crate) from: &'static str,
    /// What replaces it.
    pub(crate) to: &'static str,
    /// The item of the list that must fail.
    pub(crate) item: &'static str,
    /// Words of the reason it must give.
    pub(crate) how: &'static str,
}

/// All of them.
pub(crate) const WAYS: &[Broken] = &[
    Broken {
        what: "a wrong digest",
        from: "$digest += ord ",
        to: "$digest += 1 + ord ",
        item: "read-whole sysread: 1 B",
        how: "the digest is",
    },
    Broken {
        what: "bytes not counted",
        from: "$bytes += length $_[0];",
        to: "$bytes += 1;",
        item: "read-whole sysread: 4096 B",
        how: "the number of bytes is",
    },
    Broken {
        what: "a wrong checksum",
        from: "crc32($_[0], $crc)",
        to: "crc32('x' . $_[0], $crc)",
        item: "read-whole sysread: 10000 B",
        how: "verify gave crc32",
    },
    Broken {
        what: "a time that cannot be",
        from: "1e9 * ($end - $begin), $bytes",
        to: "1e9 * ($end - $begin) + 1e12, $bytes",
        item: "open-close sysopen: two files in turn",
        how: "answered what cannot be",
    },
    Broken {
        what: "no time at all",
        from: "1e9 * ($end - $begin), $bytes",
        to: "0, $bytes",
        item: "open-close sysopen: two files in turn",
        how: "took 0 ns",
    },
    Broken {
        what: "too few operations",
        from: "for (1 .. $count)",
        to: "for (2 .. $count)",
        item: "read-whole sysread: 1 B",
        how: "the number of bytes is",
    },
    Broken {
        what: "a pre-roll forgotten",
        from: "$count, $preroll, $each) = @_;",
        to: "$count, $preroll, $each) = @_; $preroll = 0;",
        item: "read-whole sysread: two files in turn",
        how: "the digest is",
    },
    Broken {
        what: "a batch misreported",
        from: "\"done ops=%d ns",
        to: "\"done ops=1%d ns",
        item: "open-close sysopen: two files in turn",
        how: "the number of operations is",
    },
    Broken {
        what: "another end line",
        from: "$through ? \"end\\n\" : $@",
        to: "$through ? \"over\\n\" : $@",
        item: "open-close sysopen: two files in turn",
        how: "broke the protocol while performing a schedule",
    },
    Broken {
        what: "nonsense ends it",
        from: "print $@ eq \"nonsense\\n\" ? ",
        to: "exit 3 if $@ eq \"nonsense\\n\"; print $@ eq \"nonsense\\n\" ? ",
        item: "a line that makes no sense is an error",
        how: "exited with 3 while what is this",
    },
    Broken {
        what: "null is missing",
        from: "my @order = qw(sysopen sysread null);",
        to: "my @order = qw(sysopen sysread);",
        item: "describe: the method null is there for every operation",
        how: "not for null, open-close, read-whole",
    },
    Broken {
        what: "a name twice",
        from: "my @order = qw(sysopen sysread",
        to: "my @order = qw(sysopen sysopen sysread",
        item: "describe: every method has a name of its own",
        how: "a name stands twice",
    },
    Broken {
        what: "a wrong exit code",
        from: "// refuse(2, \"no method",
        to: "// refuse(1, \"no method",
        item: "an unknown method ends it with exit code 2",
        how: "exit code Some(1)",
    },
    Broken {
        what: "release unknown",
        from: "$line eq 'release'",
        to: "$line eq 'let go'",
        item: "open-close sysopen: two files in turn",
        how: "protocol failed with EINVAL",
    },
    Broken {
        what: "errors kept silent",
        from: "sysopen(my $file, $_[0], O_RDONLY) or failed('sysopen', $_[0]);\n    close",
        to: "sysopen(my $file, $_[0], O_RDONLY) or return;\n    close",
        item: "open-close sysopen: a missing file is an error",
        how: "answered Done",
    },
    Broken {
        what: "a wrong end",
        from: "last if $line eq 'quit';",
        to: "exit 4 if $line eq 'quit';",
        item: "open-close sysopen: two files in turn",
        how: "quit ended with exit status: 4",
    },
    Broken {
        what: "own times that are none",
        from: "for (@ends) { print {$latencies}",
        to: "for (@ends, @ends) { print {$latencies}",
        item: "open-close sysopen: each operation's own time",
        how: "ns together, in a batch of",
    },
    Broken {
        what: "an end after an error",
        from: "print @done, $through ? \"end\\n\" : $@;",
        to: "print @done, $through ? '' : $@, \"end\\n\";",
        item: "open-close sysopen: an error ends a schedule",
        how: "it answered End",
    },
    Broken {
        what: "a file still open after release",
        from: "say 'released';",
        to: "open our $kept, '<', $paths[0]; say 'released';",
        item: "open-close sysopen: two files in turn",
        how: "open or mapped",
    },
    Broken {
        what: "a method that was not given",
        from: "sub slot { number($_[0]) < @names ?",
        to: "sub slot { number($_[0]) < 9 ?",
        item: "a line that makes no sense is an error",
        how: "batch 1 method=1",
    },
];

//! A conversation with a running driver, and the data it is asked to read.
//! Expectations are computed here, by other code than the driver's.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) const DRIVER: &str = env!("CARGO_BIN_EXE_fathom-driver-native");

/// A driver that has said `ready`.
pub(crate) struct Conversation {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    /// Starts `run` with these arguments, separated by spaces, and paths.
    pub(crate) fn start(arguments: &str, paths: &[PathBuf]) -> Self {
        let mut command = Command::new(DRIVER);
        command.arg("run").args(arguments.split_whitespace());
        Self::start_command(command, paths)
    }

    pub(crate) fn start_command(mut command: Command, paths: &[PathBuf]) -> Self {
        for path in paths {
            command.arg("--path").arg(path);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut conversation = Self { child, input, output };
        assert_eq!(conversation.line(), "ready");
        conversation
    }

    /// Says a line and hears one.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").unwrap();
        self.line()
    }

    /// Hears one line.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_owned()
    }

    /// A batch that must succeed.
    pub(crate) fn done(&mut self, line: &str) -> BTreeMap<String, u64> {
        figures(&self.ask(line))
    }

    /// Says `quit` and waits for exit code 0.
    pub(crate) fn quit(mut self) {
        writeln!(self.input, "quit").unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The figures of a `done` line.
pub(crate) fn figures(line: &str) -> BTreeMap<String, u64> {
    let rest = line.strip_prefix("done ").unwrap_or_else(|| panic!("not done: {line}"));
    rest.split(' ')
        .map(|word| word.split_once('=').unwrap())
        .map(|(key, value)| (key.to_owned(), value.parse().unwrap()))
        .collect()
}

/// Every method with the operations it has, out of driver.toml.
pub(crate) fn methods_of(operation: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("driver.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let has = |method: &&toml::Value| {
        method["operations"].as_array().unwrap().iter().any(|o| o.as_str() == Some(operation))
    };
    let methods = table["methods"].as_array().unwrap().iter().filter(has);
    let names = methods.map(|method| method["name"].as_str().unwrap().to_owned());
    // These need a library before the C library: crates/fathom/tests/cli/whatif.rs has it.
    names.filter(|name| !name.ends_with("-fstat")).collect()
}

/// True when driver.toml says that the method takes a setting.
pub(crate) fn takes(method: &str, setting: &str) -> bool {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("driver.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let named = |known: &&toml::Value| known["name"].as_str() == Some(method);
    let known = table["methods"].as_array().unwrap().iter().find(named).unwrap();
    let taken = known.get("takes").and_then(toml::Value::as_array);
    taken.is_some_and(|taken| taken.iter().any(|taken| taken.as_str() == Some(setting)))
}

/// Files with known bytes in a directory of their own.
pub(crate) struct Data {
    directory: tempfile::TempDir,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) contents: Vec<Vec<u8>>,
}

impl Data {
    /// One file for each content.
    pub(crate) fn of(contents: Vec<Vec<u8>>) -> Self {
        let mut data = Self::new(contents.len(), 0);
        for (path, content) in data.paths.iter().zip(&contents) {
            std::fs::write(path, content).unwrap();
        }
        data.contents = contents;
        data
    }

    pub(crate) fn new(files: usize, size: usize) -> Self {
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let (mut paths, mut contents) = (Vec::new(), Vec::new());
        for file in 0..files {
            let mut state = 88_172_645_463_325_252_u64 + file as u64;
            let content: Vec<u8> = (0..size)
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    state.to_le_bytes()[3]
                })
                .collect();
            let path = directory.path().join(format!("file {file}"));
            std::fs::write(&path, &content).unwrap();
            paths.push(path);
            contents.push(content);
        }
        Self { directory, paths, contents }
    }

    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }
}

/// The protocol's digest.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    (0..bytes.len()).filter(|i| i % 4096 == 0).map(|i| u64::from(bytes[i])).sum()
}

/// CRC-32 bit by bit.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut register = u32::MAX;
    for &byte in bytes {
        register ^= u32::from(byte);
        for _ in 0..8 {
            register = (register >> 1) ^ (0xEDB8_8320 * (register & 1));
        }
    }
    !register
}

/// The protocol's generator.
pub(crate) fn splitmix64(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

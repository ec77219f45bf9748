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

/// Files with known bytes in a directory of their own.
pub(crate) struct Data {
    directory: tempfile::TempDir,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) contents: Vec<Vec<u8>>,
}

impl Data {
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

//! A terminal that a `fathom` runs on: a pseudo-terminal with an emulator behind it,
//! so that a test reads what a person would see.

use crate::sandbox::{Sandbox, program};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use vt100::Parser;

/// Far more than any run of these tests takes.
const PATIENCE: Duration = Duration::from_mins(2);

/// With it every sequence begins that steers a terminal.
const ESCAPE: u8 = 0x1b;

/// A running `fathom` on its terminal; killed when the test fails before its end.
pub(crate) struct OnTerminal {
    child: Child,
    terminal: File,
    emulator: Arc<Mutex<Emulator>>,
    reader: Option<JoinHandle<()>>,
}

/// What the terminal showed.
pub(crate) struct Emulator {
    parser: Parser,
    /// Every screen that was different from the one before.
    pub(crate) screens: Vec<String>,
    /// True when the cursor was ever hidden.
    pub(crate) hid_cursor: bool,
}

/// What a run on a terminal has left.
pub(crate) struct Left {
    pub(crate) code: Option<i32>,
    /// The last screen, without empty lines at its end.
    pub(crate) screen: String,
    pub(crate) screens: Vec<String>,
    pub(crate) hid_cursor: bool,
}

impl OnTerminal {
    /// Starts it on a terminal of this size; standard output goes there too, or to the file `stdout`.
    pub(crate) fn start(
        sandbox: &Sandbox,
        words: &str,
        (columns, rows): (u16, u16),
        output_too: bool,
    ) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let screen = PathBuf::from(ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap());
        let open = || File::options().read(true).write(true).open(&screen).unwrap();
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(open(), size).unwrap();
        let stdout = if output_too { open() } else { File::create(sandbox.file("stdout")).unwrap() };
        let child = sandbox
            .plain_command("env")
            .args(["--default-signal=INT", program()])
            .args(words.split_whitespace())
            .env("TERM", "xterm-256color")
            .stdin(open())
            .stdout(stdout)
            .stderr(open())
            .spawn()
            .unwrap();
        let parser = Parser::new(least_one(rows), least_one(columns), 0);
        let emulator = Emulator { parser, screens: Vec::new(), hid_cursor: false };
        let emulator = Arc::new(Mutex::new(emulator));
        let terminal = File::from(terminal);
        let (source, sink) = (terminal.try_clone().unwrap(), Arc::clone(&emulator));
        let reader = Some(std::thread::spawn(move || read_all(source, &sink)));
        Self { child, terminal, emulator, reader }
    }

    /// Waits until the screen holds these words.
    pub(crate) fn wait_for(&mut self, words: &str) {
        let begun = Instant::now();
        while !self.emulator.lock().unwrap().screens.last().is_some_and(|screen| screen.contains(words)) {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none() && begun.elapsed() < PATIENCE, "no {words}: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Makes the terminal narrower, as its emulator would be.
    pub(crate) fn resize(&self, (columns, rows): (u16, u16)) {
        self.emulator.lock().unwrap().parser.screen_mut().set_size(least_one(rows), least_one(columns));
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.terminal, size).unwrap();
    }

    /// What Ctrl-C does: the terminal echoes it and the foreground is signaled.
    pub(crate) fn press_control_c(&mut self) {
        self.terminal.write_all(b"\x03").unwrap();
        crate::running::send(self.child.id(), Signal::INT);
    }

    /// Types.
    pub(crate) fn press(&mut self, keys: &[u8]) {
        self.terminal.write_all(keys).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Left {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        self.reader.take().unwrap().join().unwrap();
        let mut emulator = self.emulator.lock().unwrap();
        Left {
            code: status.code(),
            screen: emulator.parser.screen().contents().trim_end().to_owned(),
            screens: std::mem::take(&mut emulator.screens),
            hid_cursor: emulator.hid_cursor,
        }
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Until nobody has the other side open any more.
fn read_all(mut source: File, sink: &Mutex<Emulator>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = source.read(&mut bytes) {
        let mut emulator = sink.lock().unwrap();
        // What is erased again in the same breath was there too.
        let mut rest = &bytes[..count];
        while !rest.is_empty() {
            let next = rest.iter().skip(1).position(|&byte| byte == ESCAPE).map_or(rest.len(), |at| at + 1);
            emulator.take_in(&rest[..next]);
            rest = &rest[next..];
        }
    }
}

impl Emulator {
    fn take_in(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        self.hid_cursor |= self.parser.screen().hide_cursor();
        let contents = self.parser.screen().contents();
        if self.screens.last() != Some(&contents) {
            self.screens.push(contents);
        }
    }
}

fn least_one(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a terminal has rows and columns")
}

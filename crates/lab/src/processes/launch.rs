//! How a driver process is started beside its arguments: where, with which
//! variables, as whom, and with which library before the C library.

use crate::drivers::driver_set::Driver;
use crate::drivers::interposer;
use fathom_model::{Setting, Settings};
use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// The circumstances of a driver process.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Launch {
    /// The directory to run in, when paths are relative to it.
    pub(crate) directory: Option<PathBuf>,
    environment: Vec<(String, String)>,
    account: Option<Account>,
    preload: Option<PathBuf>,
    runtime_words: Vec<String>,
}

/// The variable by which Go is told how many threads may run its code at once.
const GO_PS: &str = "GOMAXPROCS";

/// A user of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Account {
    user: u32,
    group: u32,
}

impl Launch {
    /// The circumstances that settings ask for; the error is a reason why they
    /// cannot be had here.
    pub(crate) fn of(settings: &Settings) -> Result<Self, String> {
        let written = settings.text(Setting::Environment);
        let pairs = written.split_whitespace().filter_map(|word| word.split_once('='));
        let account = match settings.text(Setting::User).as_str() {
            "self" => None,
            name => Some(account_named(name)?),
        };
        let preload = match settings.text(Setting::Preload).as_str() {
            "none" => None,
            kind => Some(interposer::library(kind)?),
        };
        let mut environment: Vec<_> =
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        // Go runs on one P unless something is to be shared among threads.
        if settings.number(Setting::Threads) > 1 && environment.iter().all(|(name, _)| name != GO_PS) {
            let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            environment.push((GO_PS.to_owned(), cpus.to_string()));
        }
        Ok(Self { directory: None, environment, account, preload, runtime_words: Vec::new() })
    }

    /// The same in a directory.
    pub(crate) fn in_directory(self, directory: Option<PathBuf>) -> Self {
        Self { directory, ..self }
    }

    /// The same with words for the runtime, before those that name the driver.
    pub(crate) fn with_runtime_words(mut self, words: &[&str]) -> Self {
        self.runtime_words.extend(words.iter().map(|&word| word.to_owned()));
        self
    }

    /// The number of the driver's user when it is another than ours.
    pub(crate) fn user(&self) -> Option<u32> {
        self.account.map(|account| account.user)
    }

    /// True where a library stands between the driver and the C library.
    pub(crate) fn preloads(&self) -> bool {
        self.preload.is_some()
    }

    /// Why ranks cannot be started so.
    pub(crate) fn fits_ranks(&self) -> Result<(), String> {
        if self.user().is_some() || self.preloads() {
            return Err(
                "ranks are started by the launcher: not as another user, nor with another library".to_owned()
            );
        }
        Ok(())
    }

    /// A command that starts the driver so; its arguments are the caller's. The
    /// file has to stay open until it is started.
    pub(crate) fn command(&self, driver: &Driver) -> Result<(Command, Option<fs::File>), String> {
        let (mut command, held) = match self.account {
            None => {
                let command = driver.command_with(&self.runtime_words);
                (command.map_err(|error| error.to_string())?, None)
            }
            Some(account) => {
                let (command, held) = as_other(driver, account, &self.runtime_words)?;
                (command, Some(held))
            }
        };
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        if let Some(library) = &self.preload {
            command.env("LD_PRELOAD", library);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        Ok((command, held))
    }
}

impl Launch {
    /// Whether a process that was started so really has the library: a static
    /// program, or one whose user may not read it, goes without and says nothing.
    pub(crate) fn check(&self, pid: u32) -> Result<(), String> {
        let Some(library) = &self.preload else { return Ok(()) };
        let maps = fs::read_to_string(format!("/proc/{pid}/maps"))
            .map_err(|error| format!("/proc/{pid}/maps: {error}"))?;
        if maps.contains(&*library.to_string_lossy()) {
            return Ok(());
        }
        Err("LD_PRELOAD does not reach it: the program is static, or may not read the library".to_owned())
    }
}

/// The program is opened by us and executed by its descriptor: another user may
/// not be able to walk to it.
fn as_other(
    driver: &Driver,
    account: Account,
    runtime_words: &[String],
) -> Result<(Command, fs::File), String> {
    driver.check_unchanged().map_err(|error| error.to_string())?;
    let (program, words) = driver.words();
    let resolved = fs::canonicalize(program).map_err(|error| format!("{}: {error}", program.display()))?;
    let file = fs::File::open(&resolved).map_err(|error| format!("{}: {error}", resolved.display()))?;
    let mut command = Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
    command
        .args(runtime_words)
        .args(words)
        .envs(&driver.facts.environment)
        .uid(account.user)
        .gid(account.group);
    Ok((command, file))
}

fn account_named(name: &str) -> Result<Account, String> {
    if !rustix::process::geteuid().is_root() {
        return Err(format!("only root can run a driver as {name}"));
    }
    let users = fs::read_to_string("/etc/passwd").map_err(|error| format!("/etc/passwd: {error}"))?;
    let found = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(name)).then_some(())?;
        Some(Account { user: fields.nth(1)?.parse().ok()?, group: fields.next()?.parse().ok()? })
    });
    found.ok_or_else(|| format!("this machine has no user {name}"))
}

//! Finds the price of a call under a condition: the priced condition that is
//! nearest, and between its depths or sizes a straight line. Says where the
//! price is not quite that of the call. The one place where prices are looked up.

mod asked;
mod curve;
mod features;

pub(crate) use asked::{Asked, Known};
pub(crate) use curve::half_width;
pub(crate) use features::{Family, Feature, MANY_NAMES_BYTES, features, takes_path};

use asked::file_kind;
use curve::{Opens, is_absolute, on_curve};
use fathom_model::{
    CacheState, CallCondition, CallOutcome, CountedCalls, Estimate, OTHER_FILE_SYSTEM, Price,
};
use features::plain_name;

/// Above this share of its time, a call is taken to wait for something.
const WAITING_SHARE: f64 = 0.1;

/// The word of a `munmap` whose range was seen to be mapped from a file.
const MAPPED_FILE: &str = "MAP_FILE";

/// What is said of the price of a sync where nobody saw what was written before.
const UNKNOWN_DIRTY: &str = "whether there was anything to write is not known";

/// What one call costs by a list of prices.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote<'a> {
    /// The nearest price: whose condition is used. Of a row along depths or
    /// sizes it is any one, so that its own times say nothing.
    pub price: &'a Price,
    /// True where that is the price of another condition than the call's, as far as
    /// it is known: other flags, another outcome, a call that does nearly the same.
    pub is_of_another: bool,
    /// How the times were had where the call's depth or size does not lie between
    /// priced ones: `at 512 B, the least priced`, `drawn out from 65536 B, the most
    /// priced`. `None` where it does, and where neither bears on the price.
    pub note: Option<String>,
    /// Time that passes at the call's depth or size, in ns.
    pub wall_ns: Estimate,
    /// Time on a CPU, in ns; the rest of `wall_ns` is waiting.
    pub cpu_ns: Estimate,
}

/// The price of counted calls, of one of them: at their mean size, the page cache warm.
///
/// Only a price of this outcome and kind (command of an `fcntl`, memory
/// or a file mapped, by path or by descriptor, a regular file or an eventfd) will
/// do, else there is none. A call that has no prices at all is priced as the one that
/// does the same in the kernel (`open` and `openat`, an operation of a ring and its call). Other flags of an open are another condition of it ([`Quote::is_of_another`]). What
/// the calls themselves do not show is taken for the usual: `O_CREAT` makes a
/// file, with `O_TRUNC` it empties one. A `munmap` has a price where it is known to be of a file.
pub fn quote_counted<'a>(prices: &'a [Price], counted: &CountedCalls) -> Option<Quote<'a>> {
    let asked = Asked::of_counted(counted)?;
    // What it costs to give back memory depends on how much of it was ever touched, which no call shows.
    if Family::of(plain_name(&counted.call)) == Family::Unmap && !asked.condition.form.flags.has(MAPPED_FILE)
    {
        return None;
    }
    if asked.condition.form.flags.has(OTHER_FILE_SYSTEM) {
        return None;
    }
    let makes = asked.condition.form.flags.has("O_CREAT") && counted.outcome == CallOutcome::Succeeded;
    // One that makes or empties a file may take hundreds of times as long as one that finds it.
    if makes && asked.condition.form.state.is_none() {
        return None;
    }
    quote_kind(prices, counted, &asked).or_else(|| {
        // What no operation of a ring was priced as, the call was.
        let plain = plain_name(&counted.call);
        (plain != counted.call).then(|| quote_kind(prices, counted, &asked.of_call(plain))).flatten()
    })
}

fn quote_kind<'a>(prices: &'a [Price], counted: &CountedCalls, asked: &Asked) -> Option<Quote<'a>> {
    let call = priced_name(prices, &asked.condition.call);
    let asked = asked.of_call(call);
    let is_on = |price: &Price| is_of_any_file(call) || counted.on.is_none_or(|on| on == file_kind(price));
    let fits = |price: &&Price| !is_cold(price) && asked.is_kind_of(price) && is_on(price);
    let quote = nearest(prices.iter().filter(fits).collect(), &asked, &Opens::among(prices))?;
    // Of a sync it is most of the price whether there was anything to write, which a count does not know.
    let is_guess = Family::of(call) == Family::Sync && asked.condition.form.state.is_none();
    let guess = is_guess.then(|| UNKNOWN_DIRTY.to_owned());
    let notes: Vec<_> = guess.into_iter().chain(quote.note).collect();
    let note = (!notes.is_empty()).then(|| notes.join(", "));
    Some(Quote { is_of_another: quote.is_of_another || call != counted.call, note, ..quote })
}

/// The name under which a call is priced: its own, else that of the call that does the same.
fn priced_name<'a>(prices: &[Price], call: &'a str) -> &'a str {
    let is_priced = |name: &str| prices.iter().any(|price| price.condition.call == name);
    if is_priced(call) {
        return call;
    }
    twins(call).iter().copied().find(|name| is_priced(name)).unwrap_or(call)
}

/// Calls that go the same way through the kernel but for how they are called, nearest first.
fn twins(call: &str) -> &'static [&'static str] {
    match call {
        "open" | "openat2" => &["openat"],
        "creat" | "openat" => &["openat", "open"],
        "io_uring:openat2" => &["io_uring:openat"],
        "stat" | "lstat" => &["newfstatat", "statx"],
        "newfstatat" => &["stat", "statx"],
        "access" | "faccessat2" => &["faccessat", "access"],
        "mkdir" => &["mkdirat"],
        "mkdirat" => &["mkdir"],
        "rename" | "renameat2" => &["renameat", "rename"],
        "renameat" => &["rename"],
        "unlink" => &["unlinkat"],
        "unlinkat" => &["unlink"],
        "readlink" => &["readlinkat"],
        "readlinkat" => &["readlink"],
        "symlink" => &["symlinkat"],
        "symlinkat" => &["symlink"],
        "chmod" | "fchmodat2" => &["fchmodat"],
        "preadv" => &["preadv2"],
        "pwritev" | "pwritev2" => &["writev", "pwrite64"],
        "sendfile" | "splice" => &["copy_file_range"],
        "dup2" | "dup3" => &["dup"],
        _ => &[],
    }
}

/// True of calls that never look at what their descriptor leads to.
fn is_of_any_file(call: &str) -> bool {
    matches!(call, "fcntl" | "dup" | "dup2" | "dup3")
}

/// The price of a call, or `None` when nothing like it has one.
pub(crate) fn quote<'a>(prices: &'a [Price], asked: &Asked) -> Option<Quote<'a>> {
    let is_kin = |price: &&Price| kinship(price, &asked.condition.call).is_some();
    let known: Vec<_> = prices.iter().filter(is_kin).collect();
    let only_cold = known.iter().all(|price| is_cold(price));
    let known = known.into_iter().filter(|price| only_cold || !is_cold(price)).collect();
    nearest(known, asked, &Opens::among(prices))
}

impl Quote<'_> {
    /// True when part of the time passes without a CPU.
    pub(crate) fn waits(&self) -> bool {
        let apart = self.wall_ns.value - self.cpu_ns.value;
        let error = half_width(&self.wall_ns).unwrap_or(0.0) + half_width(&self.cpu_ns).unwrap_or(0.0);
        apart > WAITING_SHARE * self.wall_ns.value && apart > error
    }

    /// Everything in which it is not the price of this very condition.
    pub(crate) fn remark(&self) -> Option<String> {
        let other = self.is_of_another.then(|| format!("price of {}", self.price.condition));
        let remarks: Vec<_> = other.into_iter().chain(self.note.clone()).collect();
        (!remarks.is_empty()).then(|| remarks.join(", "))
    }
}

fn nearest<'a>(known: Vec<&'a Price>, asked: &Asked, opens: &Opens<'_>) -> Option<Quote<'a>> {
    let (condition, asked_features) = (&asked.condition, asked.features());
    let rank = |price: &&Price| {
        // Where the form is not known, the plainest is nearest.
        let apart = features(&price.condition).symmetric_difference(&asked_features).count();
        let outcome = outcome_distance(&price.condition, condition);
        (outcome, apart, kinship(price, &condition.call), reach(&price.condition, condition))
    };
    let nearest = known.iter().copied().min_by_key(rank)?;
    let curve: Vec<_> = known
        .into_iter()
        .filter(|price| {
            let key = |condition: &'a CallCondition| (&condition.call, &condition.outcome, &condition.form);
            key(&price.condition) == key(&nearest.condition)
        })
        .collect();
    let ((wall_ns, cpu_ns), note) = on_curve(&curve, condition, opens);
    let is_of_another = nearest.condition.call != condition.call
        || nearest.condition.outcome != condition.outcome
        || asked.differs_from(nearest);
    Some(Quote { price: nearest, is_of_another, note, wall_ns, cpu_ns })
}

fn is_cold(price: &Price) -> bool {
    price.condition.cache == Some(CacheState::Cold)
}

/// How near the call of a price is to another; 0 is the same.
fn kinship(price: &Price, call: &str) -> Option<usize> {
    let priced = price.condition.call.as_str();
    if priced == call { Some(0) } else { kin(call).iter().position(|kin| priced == *kin).map(|at| at + 1) }
}

/// Calls that do nearly the same, nearest first.
fn kin(call: &str) -> &'static [&'static str] {
    match call {
        "open" | "openat2" => &["openat"],
        "creat" | "openat" => &["openat", "open", "openat2"],
        "stat" | "lstat" | "fstat" | "fstatat64" => &["newfstatat", "statx"],
        "newfstatat" => &["statx", "stat", "fstat"],
        "statx" => &["newfstatat", "fstat"],
        "access" | "faccessat" => &["faccessat2", "faccessat", "access", "newfstatat"],
        "faccessat2" => &["faccessat", "access", "newfstatat"],
        "read" => &["pread64"],
        "pread64" => &["read"],
        "readv" | "preadv" => &["preadv2", "readv", "pread64", "read"],
        "preadv2" => &["readv", "pread64", "read"],
        "write" => &["pwrite64"],
        "pwrite64" => &["write"],
        "writev" | "pwritev" | "pwritev2" => &["pwrite64", "write"],
        "readlink" => &["readlinkat"],
        "readlinkat" => &["readlink"],
        "unlink" => &["unlinkat"],
        "unlinkat" => &["unlink"],
        "rename" | "renameat" | "renameat2" => &["renameat2", "renameat", "rename"],
        "mkdir" => &["mkdirat"],
        "mkdirat" => &["mkdir"],
        "symlink" => &["symlinkat"],
        "symlinkat" => &["symlink"],
        "fdatasync" => &["fsync"],
        "fsync" => &["fdatasync"],
        "dup2" | "dup3" => &["dup"],
        "getpid" | "getuid" | "geteuid" | "getgid" | "getegid" => &["getppid", "gettid"],
        "getppid" => &["gettid"],
        "gettid" => &["getppid"],
        _ => &[],
    }
}

/// Whether it ends in the same way tells more than anything else; another failure
/// is nearer to a failure than success is.
fn outcome_distance(priced: &CallCondition, asked: &CallCondition) -> u8 {
    match (priced.errno(), asked.errno()) {
        (one, other) if one == other => 0,
        (Some(_), Some(_)) => 1,
        _ => 2,
    }
}

/// Among equals: a path that begins where it does, and what can be interpolated.
fn reach(priced: &CallCondition, asked: &CallCondition) -> (bool, bool) {
    let has_axis = match (asked.path_components, asked.size_bytes) {
        (Some(_), _) => priced.path_components.is_some(),
        (None, Some(_)) => priced.size_bytes.is_some(),
        (None, None) => true,
    };
    (is_absolute(priced) != is_absolute(asked), !has_axis)
}

#[cfg(test)]
mod tests;

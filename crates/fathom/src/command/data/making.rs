//! `fathom data make`: the data set is written, and what that took is printed.

use super::{bar, explained, show};
use crate::arguments::DataMake;
use crate::command::Hinted;
use crate::exit::Exit;
use crate::{interrupt, output};
use fathom_catalog::{format_size, parse_size, parse_word};
use fathom_lab::kept_set::{self, CpuTime, Figures, Order, SetName, SyncWhen};
use fathom_model::{DataSet, Reading};
use std::fmt::Write as _;
use std::time::Duration;

/// Larger blocks than this take memory and make no difference.
const BLOCK_BYTES_MAX: u64 = 64 << 20;

/// Makes a data set.
pub(super) fn run(make: &DataMake) -> anyhow::Result<Exit> {
    let stop = interrupt::flag()?;
    let order = order_of(make)?;
    let bar = bar("writing");
    let made = kept_set::make(&make.dir, &order, &mut show(&bar), &stop);
    bar.finish_and_clear();
    match made {
        Ok(figures) => {
            output::data(&text_of(&order, &figures)?)?;
            Ok(Exit::Done)
        }
        Err(error) if error.is_interruption() => {
            output::note(&format!("interrupted: what was made of the data set `{}` is removed", order.name));
            Ok(Exit::Interrupted)
        }
        Err(error) => Err(explained("make", &order.name, &make.dir, &error)),
    }
}

fn order_of(make: &DataMake) -> anyhow::Result<Order> {
    let size_bytes = parse_size("--size", &make.size)?;
    let block_bytes = parse_size("--block", &make.block)?;
    if block_bytes == 0 || block_bytes > BLOCK_BYTES_MAX {
        let hint = format!("a block holds from 1 byte to {}", format_size(BLOCK_BYTES_MAX));
        return Err(Hinted::error(format!("--block: `{}` is out of range", make.block), hint));
    }
    if make.files == 0 {
        return Err(Hinted::error("--files: `0` is out of range", "a data set holds a file at least"));
    }
    if size_bytes.checked_mul(make.files.into()).is_none_or(|bytes| i64::try_from(bytes).is_err()) {
        let hint = "no file system holds that many bytes";
        return Err(Hinted::error("--size and --files together are out of range", hint));
    }
    let data = DataSet { files: make.files, size_bytes, content: parse_word("--content", &make.content)? };
    Ok(Order {
        name: make.name.clone().unwrap_or_else(|| SetName::of(&data)),
        data,
        block_bytes,
        sync: make.sync.into(),
        seed: make.seed.unwrap_or_else(fathom_lab::draw_seed),
        created: jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string(),
    })
}

fn text_of(order: &Order, figures: &Figures) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let mut line = |name: &str, value: String| writeln!(text, "  {name:<16} {value}");
    line("files", kept_set::in_words(&order.data))?;
    let block = format_size(order.block_bytes);
    line("writes", format!("{} calls of write(2), {block} each{}", figures.writes, short_last(order)))?;
    line("bytes", format!("{} ({})", figures.bytes, format_size(figures.bytes)))?;
    let included = match order.sync {
        SyncWhen::Fsync => "with fsync of each file",
        SyncWhen::None => "to the page cache, without fsync",
    };
    line("wall time", format!("{}, {included}", seconds(figures.wall)))?;
    if let Some(after) = figures.synced_after {
        line("", format!("{} more until all was on the device, not counted", seconds(after)))?;
    }
    line("user time", of_writer(&figures.writer, |time| time.user))?;
    line("system time", of_writer(&figures.writer, |time| time.system))?;
    line("rate", rate(figures))?;
    line("content", content(figures))?;
    line("checked", "sizes; no hole and no extent that was never written".to_owned())?;
    Ok(format!("made the data set {} in {}\n{text}", order.name, figures.path.display()))
}

/// What to know of the last call where the size is no multiple of the block.
fn short_last(order: &Order) -> &'static str {
    if order.data.size_bytes.is_multiple_of(order.block_bytes) { "" } else { ", the last of a file shorter" }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn of_writer(time: &Reading<CpuTime>, part: fn(&CpuTime) -> Duration) -> String {
    match time {
        Reading::Value(time) => format!("{}, of the thread that wrote", seconds(part(time))),
        Reading::Unavailable(reason) => format!("unavailable: {reason}"),
    }
}

fn rate(figures: &Figures) -> String {
    let wall = figures.wall.as_secs_f64();
    if wall == 0.0 {
        return "too short to tell".to_owned();
    }
    let (bytes, writes) = (figures.bytes as f64 / wall / 1e6, figures.writes as f64 / wall);
    format!("{bytes:.0} MB/s, {writes:.0} writes/s")
}

fn content(figures: &Figures) -> String {
    let waited = format!("the writer waited {} for it", seconds(figures.waited));
    match &figures.computing {
        Reading::Value(time) => {
            format!("{} of processor time in other threads; {waited}", seconds(time.total()))
        }
        Reading::Unavailable(_) => waited,
    }
}

//! The side of the process that plays a part: `fathom scenario-actor WHO PART …`.
//! It speaks lines over its standard input and output and goes when Fathom goes.

use super::lines::Failure;
use super::performer::SELF;
use super::{
    config_errors, hot_reload, limits, memory_files, pitfalls, shared_descriptor, tool, write_directory,
};
use rustix::process::{Gid, Signal, Uid, set_parent_process_death_signal};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::ffi::OsString;
use std::io::{self, Write};

/// Plays the part that the words name. The exit code of the process.
pub fn perform(words: impl Iterator<Item = OsString>) -> u8 {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match play(&words) {
        Ok(()) => 0,
        Err(failure) => {
            let _nobody_listens = writeln!(io::stderr(), "{failure}");
            1
        }
    }
}

fn play(words: &[&str]) -> Result<(), Failure> {
    let [who, part, rest @ ..] = words else { return Err("who plays which part?".into()) };
    if *who != SELF {
        become_user(who)?;
    }
    // After the change of the user, which clears it.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    match *part {
        "exhaust-descriptors" => pitfalls::descriptors::exhaust(),
        "inherit-descriptors" => pitfalls::descriptors::inherit(rest),
        "count-inherited" => pitfalls::descriptors::count_inherited(rest),
        "exchange" => pitfalls::exchange::run(rest),
        "check-and-open" => pitfalls::check_then_open::run_part(rest),
        "read-for-user" => pitfalls::symlink_swap::read_for_user(rest),
        "edit" => hot_reload::editor::run(rest),
        "edit-halfway" => hot_reload::remedy::edit(rest),
        "reload-once" => hot_reload::remedy::reload(rest),
        "reload" => hot_reload::reader::run(rest),
        "open-directory" => write_directory::attempts::run(rest),
        "mount-and-open" => write_directory::images::run(),
        "load" => config_errors::layers::run(rest),
        "shrink" => config_errors::shrink(rest),
        "share-descriptor" => shared_descriptor::threads::run(rest),
        "meet-limits" => limits::meet(rest),
        "fill-file-systems" => limits::fill(),
        "run-tool" => tool::run(rest),
        "try-memory-file" => memory_files::try_all(rest),
        "hold-memory-file" => memory_files::hold(rest),
        other => Err(format!("there is no part `{other}`").into()),
    }
}

/// This process has one thread, so its user is that thread's.
fn become_user(who: &str) -> Result<(), Failure> {
    let (user, group) = who.split_once(':').ok_or("a user is written USER:GROUP")?;
    let (user, group) = (Uid::from_raw(user.parse()?), Gid::from_raw(group.parse()?));
    let refused = |errno| format!("failed to become user {}: {errno}", user.as_raw());
    set_thread_groups(&[]).map_err(refused)?;
    set_thread_res_gid(group, group, group).map_err(refused)?;
    set_thread_res_uid(user, user, user).map_err(refused)?;
    Ok(())
}

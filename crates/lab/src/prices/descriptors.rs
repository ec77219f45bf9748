//! Prices of small calls on descriptors, and of listing a directory.

use super::ground::Ground;
use super::opening::close_all;
use super::refusal::{Refusal, failing_with};
use super::trial::Trial;
use fathom_model::{CallCondition, CallForm, call_form as what};
use fathom_sys::plain_calls;
use rustix::event::{EventfdFlags, epoll, eventfd};
use rustix::fs::{Advice, Mode, OFlags, RawDir, SeekFrom, fadvise, fcntl_getfl, fcntl_setfl, openat, seek};
use rustix::io::{Errno, FdFlags, dup, fcntl_getfd, fcntl_setfd, read, write};
use std::ffi::CStr;
use std::mem::MaybeUninit;

const CALLS: u32 = 64;
/// Descriptors made on one clock.
const MADE: u32 = 32;
/// Listings on one clock.
const LISTINGS: usize = 8;

/// All of them.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = on_a_file(ground);
    trials.extend([epoll_of_a_file(ground), duplicates(ground), epolls(), eventfds()]);
    trials.extend([
        listing(ground, c"few", what::FEW_NAMES),
        listing(ground, c"many", what::MANY_NAMES),
        Trial::new([CallCondition::new("getcwd", what::PLAIN)], |meter, of| {
            let mut buffer = [0; 4096];
            meter.take(&of[0], CALLS, |_| plain_calls::current_directory(&mut buffer).map(drop))
        }),
    ]);
    trials
}

fn on_a_file(ground: &Ground) -> Vec<Trial<'_>> {
    let file = &ground.data;
    vec![
        Trial::new([CallCondition::new("lseek", what::SEEK_SET)], move |meter, of| {
            meter.take(&of[0], CALLS, |number| seek(file, SeekFrom::Start(number.into())).map(drop))
        }),
        Trial::new(
            [CallCondition::new("ioctl", what::TERMINAL_SETTINGS).failing("ENOTTY")],
            move |meter, of| {
                meter.take(&of[0], CALLS, |_| {
                    let answer = plain_calls::terminal_settings(file);
                    failing_with(Errno::NOTTY, answer.map_err(|error| error.errno().unwrap_or(Errno::IO)))
                })
            },
        ),
        Trial::new([CallCondition::new("fcntl", what::GET_FLAGS)], move |meter, of| {
            meter.take(&of[0], CALLS, |_| fcntl_getfl(file).map(drop))
        }),
        Trial::new([CallCondition::new("fcntl", what::SET_FLAGS)], move |meter, of| {
            let flags = fcntl_getfl(file)?;
            meter.take(&of[0], CALLS, |_| fcntl_setfl(file, flags))
        }),
        Trial::new([CallCondition::new("fcntl", what::GET_DESCRIPTOR_FLAGS)], move |meter, of| {
            meter.take(&of[0], CALLS, |_| fcntl_getfd(file).map(drop))
        }),
        Trial::new([CallCondition::new("fcntl", what::SET_DESCRIPTOR_FLAGS)], move |meter, of| {
            meter.take(&of[0], CALLS, |_| fcntl_setfd(file, FdFlags::CLOEXEC))
        }),
        Trial::new([CallCondition::new("fadvise64", what::ADVISE_SEQUENTIAL)], move |meter, of| {
            meter.take(&of[0], CALLS, |_| fadvise(file, 0, None, Advice::Sequential))?;
            Ok(fadvise(file, 0, None, Advice::Normal)?)
        }),
    ]
}

fn epoll_of_a_file(ground: &Ground) -> Trial<'_> {
    Trial::new([CallCondition::new("epoll_ctl", what::EPOLL_ADD_FILE).failing("EPERM")], move |meter, of| {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        meter.take(&of[0], CALLS, |_| {
            let (data, flags) = (epoll::EventData::new_u64(1), epoll::EventFlags::IN);
            failing_with(Errno::PERM, epoll::add(&epoll, &ground.data, data, flags))
        })
    })
}

fn duplicates(ground: &Ground) -> Trial<'_> {
    Trial::new([CallCondition::new("dup", what::PLAIN)], move |meter, of| {
        let mut made = Vec::with_capacity(MADE as usize);
        meter.take(&of[0], MADE, |_| {
            made.push(dup(&ground.data)?);
            Ok::<(), Errno>(())
        })
    })
}

fn epolls<'a>() -> Trial<'a> {
    let conditions =
        [CallCondition::new("epoll_create1", what::PLAIN), CallCondition::new("close", what::OF_EPOLL)];
    Trial::new(conditions, |meter, of| {
        let mut made = Vec::with_capacity(MADE as usize);
        meter.take(&of[0], MADE, |_| {
            made.push(epoll::create(epoll::CreateFlags::CLOEXEC)?);
            Ok::<(), Errno>(())
        })?;
        close_all(meter, &of[1], made)
    })
}

/// A semaphore: every read takes one of what the writes gave.
fn eventfds<'a>() -> Trial<'a> {
    let conditions = [
        CallCondition::new("write", what::OF_EVENTFD).sized(8),
        CallCondition::new("read", what::OF_EVENTFD).sized(8),
    ];
    Trial::new(conditions, |meter, of| {
        let counter = eventfd(0, EventfdFlags::SEMAPHORE | EventfdFlags::CLOEXEC)?;
        meter.take(&of[0], CALLS, |_| write(&counter, &1_u64.to_ne_bytes()).map(drop))?;
        let mut taken = [0; 8];
        meter.take(&of[1], CALLS, |_| read(&counter, &mut taken).map(drop))
    })
}

/// Every directory is opened anew, read once, and read once more at its end.
fn listing<'a>(ground: &'a Ground, name: &'static CStr, form: CallForm) -> Trial<'a> {
    let conditions =
        [CallCondition::new("getdents64", form), CallCondition::new("getdents64", what::NO_NAMES)];
    let mut buffer = vec![MaybeUninit::uninit(); 32 << 10];
    Trial::new(conditions, move |meter, of| {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directories = (0..LISTINGS)
            .map(|_| openat(&ground.directory, name, flags, Mode::empty()))
            .collect::<Result<Vec<_>, _>>()?;
        for (condition, ended) in of.iter().zip([false, true]) {
            let mut left = directories.iter();
            meter.take(condition, u32::try_from(LISTINGS).unwrap_or(1), |_| {
                let Some(directory) = left.next() else { return Ok(()) };
                match RawDir::new(directory, &mut buffer).next() {
                    Some(Ok(_)) if !ended => Ok(()),
                    None if ended => Ok(()),
                    Some(Err(errno)) => Err(Refusal::from(errno)),
                    _ => Err(Refusal("the directory did not come in one piece".to_owned())),
                }
            })?;
        }
        Ok(())
    })
}

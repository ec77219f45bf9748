//! Prices of asking about a file: by descriptor, by path, by link.

use super::ground::{DEPTHS, FILE, Ground, NOTHING};
use super::refusal::failing_with;
use super::trial::Trial;
use fathom_model::{CallCondition, call_form as what};
use fathom_sys::young_calls::is_missing;
use fathom_sys::{SysError, path_calls};
use rustix::fs::{
    Access, AtFlags, Mode, StatxFlags, accessat, chmodat, fchmod, fstat, readlinkat_raw, statat, statx,
};
use rustix::io::Errno;
use std::ffi::CStr;

const CALLS: u32 = 64;

/// `stat`, `access`, `readlink` and their kin.
pub(super) fn trials(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = by_descriptor(ground);
    for depth in DEPTHS {
        trials.extend(by_path(ground, depth));
    }
    trials.extend(access(ground));
    trials.extend(links(ground));
    trials
}

fn by_descriptor(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = vec![
        Trial::new([CallCondition::new("fstat", what::BY_DESCRIPTOR)], move |meter, of| {
            meter.take(&of[0], CALLS, |_| fstat(&ground.data).map(drop))
        }),
        Trial::new([CallCondition::new("fstat", what::OF_OPEN_DIRECTORY)], move |meter, of| {
            meter.take(&of[0], CALLS, |_| fstat(&ground.directory).map(drop))
        }),
        Trial::new([CallCondition::new("fchmod", what::BY_DESCRIPTOR)], move |meter, of| {
            let mode = Mode::from_raw_mode(fstat(&ground.written)?.st_mode);
            meter.take(&of[0], CALLS, |_| fchmod(&ground.written, mode))
        }),
        Trial::new([CallCondition::new("fchmodat", what::BY_PATH).deep(1)], move |meter, of| {
            let mode = Mode::from_raw_mode(statat(&ground.directory, c"written", AtFlags::empty())?.st_mode);
            meter.take(&of[0], CALLS, |_| chmodat(&ground.directory, c"written", mode, AtFlags::empty()))
        }),
        Trial::new([CallCondition::new("statx", what::BY_PATH).deep(1)], move |meter, of| {
            meter.take(&of[0], CALLS, |_| {
                statx(&ground.directory, c"file", AtFlags::empty(), StatxFlags::BASIC_STATS).map(drop)
            })
        }),
        Trial::new(
            [CallCondition::new("statx", what::BY_PATH).deep(1).failing("ENOENT")],
            move |meter, of| {
                let flags = StatxFlags::BASIC_STATS;
                meter.take(&of[0], CALLS, |_| {
                    failing_with(Errno::NOENT, statx(&ground.directory, c"nothing", AtFlags::empty(), flags))
                })
            },
        ),
    ];
    for (form, file) in [(what::EMPTY_PATH, &ground.data), (what::EMPTY_PATH_DIRECTORY, &ground.directory)] {
        trials.push(Trial::new([CallCondition::new("newfstatat", form.clone())], move |meter, of| {
            meter.take(&of[0], CALLS, |_| statat(file, c"", AtFlags::EMPTY_PATH).map(drop))
        }));
        trials.push(Trial::new([CallCondition::new("statx", form)], move |meter, of| {
            let flags = StatxFlags::BASIC_STATS;
            meter.take(&of[0], CALLS, |_| statx(file, c"", AtFlags::EMPTY_PATH, flags).map(drop))
        }));
    }
    trials
}

fn by_path(ground: &Ground, depth: u32) -> [Trial<'_>; 2] {
    let condition = CallCondition::new("newfstatat", what::BY_PATH).deep(depth);
    let (file, nothing) = (Ground::path_at(depth, FILE), Ground::path_at(depth, NOTHING));
    [
        Trial::new([condition.clone()], move |meter, of| {
            meter.take(&of[0], CALLS, |_| {
                statat(&ground.directory, file.as_c_str(), AtFlags::empty()).map(drop)
            })
        }),
        Trial::new([condition.failing("ENOENT")], move |meter, of| {
            meter.take(&of[0], CALLS, |_| {
                failing_with(Errno::NOENT, statat(&ground.directory, nothing.as_c_str(), AtFlags::empty()))
            })
        }),
    ]
}

fn access(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = Vec::new();
    for (call, form, flags) in
        [("faccessat", what::BY_PATH, AtFlags::empty()), ("faccessat2", what::EFFECTIVE, AtFlags::EACCESS)]
    {
        let condition = CallCondition::new(call, form).deep(1);
        let ask = move |path: &CStr| accessat(&ground.directory, path, Access::READ_OK, flags);
        // Where the newer call is missing, rustix makes the older one.
        let there = move || {
            if is_missing(call) { Err(SysError::Refused { call, errno: Errno::NOSYS }) } else { Ok(()) }
        };
        trials.push(Trial::new([condition.clone()], move |meter, of| {
            there()?;
            meter.take(&of[0], CALLS, |_| ask(c"file"))
        }));
        trials.push(Trial::new([condition.failing("ENOENT")], move |meter, of| {
            there()?;
            meter.take(&of[0], CALLS, |_| failing_with(Errno::NOENT, ask(c"nothing")))
        }));
    }
    let condition = CallCondition::new("access", what::BY_PATH).deep(1);
    trials.push(Trial::new([condition.clone()], move |meter, of| {
        meter.take(&of[0], CALLS, |_| path_calls::access_for_reading(c"file"))
    }));
    trials.push(Trial::new([condition.failing("ENOENT")], move |meter, of| {
        path_calls::access_for_reading(c"file")?;
        meter.take(&of[0], CALLS, |_| {
            failing_with(Errno::NOENT, errno_of(path_calls::access_for_reading(c"nothing")))
        })
    }));
    trials
}

fn links(ground: &Ground) -> Vec<Trial<'_>> {
    let at = |path: &CStr| {
        let mut target = [0_u8; 256];
        readlinkat_raw(&ground.directory, path, &mut target[..]).map(drop)
    };
    let plain = |path: &CStr| path_calls::readlink(path, &mut [0; 256]).map(drop);
    let (newer, older) = (
        CallCondition::new("readlinkat", what::BY_PATH).deep(1),
        CallCondition::new("readlink", what::BY_PATH).deep(1),
    );
    vec![
        Trial::new([newer.clone()], move |meter, of| meter.take(&of[0], CALLS, |_| at(c"link"))),
        Trial::new([newer.failing("EINVAL")], move |meter, of| {
            meter.take(&of[0], CALLS, |_| failing_with(Errno::INVAL, at(c"file")))
        }),
        Trial::new([older.clone()], move |meter, of| meter.take(&of[0], CALLS, |_| plain(c"link"))),
        Trial::new([older.failing("EINVAL")], move |meter, of| {
            plain(c"link")?;
            meter.take(&of[0], CALLS, |_| failing_with(Errno::INVAL, errno_of(plain(c"file"))))
        }),
    ]
}

/// The answer with its bare errno.
fn errno_of<T>(answer: Result<T, SysError>) -> Result<T, Errno> {
    answer.map_err(|error| error.errno().unwrap_or(Errno::IO))
}

//! Whether a file or directory can have been changed by anybody but the user and root. What is
//! run, or obeyed, without having been named on the command line has to be such a one.

use rustix::fs::{CWD, Mode, OFlags, Stat, fstat, lstat, openat};
use rustix::io::Errno;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

const OTHERS_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;
/// Who owns files whose owner has no number in this user namespace.
const OVERFLOW_USER: u32 = 65534;

/// Why somebody else may have changed a file or a directory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} {reason}", path.display())]
pub struct Distrust {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it: `is owned by user 1000`.
    pub reason: String,
}

/// Who a file may belong to, beside root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The effective user.
    User,
    /// The effective user, or the one who called `sudo`.
    Caller,
}

impl Owner {
    fn includes(self, user: u32) -> bool {
        user == 0
            || user == rustix::process::geteuid().as_raw()
            || (self == Self::Caller && sudo_user() == Some(user))
    }
}

/// Checks what was found at `path`: nobody but the owner and root may write to it.
pub fn check(path: &Path, found: &Stat, owner: Owner) -> Result<(), Distrust> {
    check_owner(path, found, owner)?;
    if is_writable_by_others(found) {
        let reason = format!("can be changed by other users (mode {:04o})", found.st_mode & 0o7777);
        return Err(Distrust { path: path.to_owned(), reason });
    }
    Ok(())
}

/// Checks whose it is, as of a link, which has no mode.
pub(crate) fn check_owner(path: &Path, found: &Stat, owner: Owner) -> Result<(), Distrust> {
    if owner.includes(found.st_uid) {
        return Ok(());
    }
    let reason = format!("is owned by user {}", found.st_uid);
    Err(Distrust { path: path.to_owned(), reason })
}

/// Checks that nobody else can put another directory in the place of this one: no directory above
/// it is theirs, or lets them rename what is in it. `path` has no links.
pub(crate) fn check_above(path: &Path) -> Result<(), Distrust> {
    for above in path.ancestors().skip(1) {
        let Ok(found) = lstat(above) else { continue };
        let is_known =
            Owner::User.includes(found.st_uid) || (found.st_uid == OVERFLOW_USER && is_in_user_namespace());
        if !is_known {
            let reason = format!("is owned by user {}", found.st_uid);
            return Err(Distrust { path: above.to_owned(), reason });
        }
        if is_writable_by_others(&found) && found.st_mode & STICKY == 0 {
            let reason =
                format!("lets other users rename what is in it (mode {:04o})", found.st_mode & 0o7777);
            return Err(Distrust { path: above.to_owned(), reason });
        }
    }
    Ok(())
}

/// Opens a directory, itself and never what a link leads to, that only we and root can change.
pub(crate) fn open_directory(path: &Path) -> Result<OwnedFd, OpenError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(CWD, path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::LOOP | Errno::NOTDIR => {
            Distrust { path: path.to_owned(), reason: "is not a directory".to_owned() }.into()
        }
        errno => OpenError::Refused(errno),
    })?;
    check(path, &fstat(&directory).map_err(OpenError::Refused)?, Owner::User)?;
    Ok(directory)
}

/// Why a directory was not opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    /// The kernel refused.
    Refused(Errno),
    /// Somebody else may have changed it.
    Distrust(Distrust),
}

impl From<Distrust> for OpenError {
    fn from(distrust: Distrust) -> Self {
        Self::Distrust(distrust)
    }
}

fn is_writable_by_others(found: &Stat) -> bool {
    let writers = found.st_mode & OTHERS_WRITE;
    // Where every user has a group of their own, the usual umask lets it write.
    writers & 0o002 != 0 || (writers != 0 && !is_private(found.st_gid))
}

/// True of the group that bears the user's name and has nobody else in it.
fn is_private(group: u32) -> bool {
    let [users, groups] =
        ["/etc/passwd", "/etc/group"].map(|file| fs::read_to_string(file).unwrap_or_default());
    is_private_in(group, rustix::process::geteuid().as_raw(), &users, &groups)
}

fn is_private_in(group: u32, user: u32, users: &str, groups: &str) -> bool {
    let lines = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(':').map(str::to_owned).collect()).collect()
    };
    let number = |fields: &[String], at: usize| fields.get(at).and_then(|word| word.parse::<u32>().ok());
    let (users, groups) = (lines(users), lines(groups));
    let Some(name) = users.iter().find(|fields| number(fields, 2) == Some(user)).map(|fields| &fields[0])
    else {
        return false;
    };
    let is_alone = |fields: &Vec<String>| {
        &fields[0] == name
            && fields.get(3).is_none_or(|members| members.split(',').all(|one| one.is_empty() || one == name))
    };
    let of_number: Vec<_> = groups.iter().filter(|fields| number(fields, 2) == Some(group)).collect();
    !of_number.is_empty()
        && of_number.into_iter().all(is_alone)
        && users.iter().all(|fields| number(fields, 3) != Some(group) || number(fields, 2) == Some(user))
}

/// The user who called `sudo`, where we are root by it.
fn sudo_user() -> Option<u32> {
    let is_root = rustix::process::geteuid().is_root();
    std::env::var("SUDO_UID").ok().filter(|_| is_root)?.parse().ok()
}

/// True where users of the machine have no number here.
fn is_in_user_namespace() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    !map.is_empty() && map.split_whitespace().collect::<Vec<_>>() != ["0", "0", "4294967295"]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    fn reason(path: &Path) -> String {
        match open_directory(path) {
            Ok(_) => String::new(),
            Err(OpenError::Distrust(distrust)) => distrust.reason,
            Err(OpenError::Refused(errno)) => errno.to_string(),
        }
    }

    #[test]
    fn a_directory_of_ours_is_trusted_until_others_may_write_in_it() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(reason(folder.path()), "");
        for (mode, expected) in [(0o755, ""), (0o757, "can be changed by other users (mode 0757)")] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(reason(folder.path()), expected);
        }
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        assert_eq!(
            reason(folder.path()),
            "can be changed by other users (mode 1777)",
            "sticky is not enough"
        );
    }

    #[test]
    fn a_link_is_no_directory() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink(folder.path(), &link).unwrap();
        assert_eq!(reason(&link), "is not a directory");
    }

    #[test]
    fn what_belongs_to_another_user_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let theirs = folder.path().join("theirs");
        fs::create_dir(&theirs).unwrap();
        if chown(&theirs, Some(65534), None).is_err() {
            return;
        }
        assert_eq!(reason(&theirs), "is owned by user 65534");
        let below = theirs.join("below");
        fs::create_dir(&below).unwrap();
        assert_eq!(reason(&below), "", "by itself it is ours");
        let error = check_above(&below).unwrap_err();
        assert_eq!((error.path.as_path(), error.reason.as_str()), (&*theirs, "is owned by user 65534"));
    }

    #[test]
    fn who_may_rename_in_a_directory_above_may_replace_what_is_below() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        assert_eq!(check_above(&below), Ok(()), "/tmp is sticky");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(check_above(&below).unwrap_err().path, folder.path());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        assert_eq!(check_above(&below), Ok(()));
    }

    #[test]
    fn a_group_is_private_when_it_has_the_users_name_and_nobody_else() {
        let users =
            "root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nbob:x:1001:100::/:/bin/sh\n";
        let groups = "root:x:0:\nada:x:1000:\nusers:x:100:ada\nstaff:x:50:ada,bob\n";
        let private = |group| is_private_in(group, 1000, users, groups);
        assert!(private(1000));
        assert!(!private(100) && !private(50) && !private(77));
        assert!(!is_private_in(1000, 1000, users, "ada:x:1000:bob\n"), "another member");
        let shared = format!("{users}eve:x:1002:1000::/:/bin/sh\n");
        assert!(!is_private_in(1000, 1000, &shared, groups), "another user's first group");
        assert!(!is_private_in(1000, 4242, users, groups), "a user without a name");
    }
}

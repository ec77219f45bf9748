//! Names of errnos, by Linux's numbers.

/// What the program sees: the kernel's own numbers for a call that it begins again after a signal
/// (`ERESTARTSYS` and its kin), which a tracer sees, are an interruption.
pub(crate) fn program_errno(errno: i32) -> i32 {
    if matches!(errno, 512..=514 | 516) { EINTR } else { errno }
}

/// `ENOENT` of 2.
pub fn errno_name(errno: i32) -> String {
    let errno = program_errno(errno);
    let name = NAMES.iter().find(|(number, _)| *number == errno).map(|(_, name)| *name);
    name.map_or_else(|| format!("errno {errno}"), str::to_owned)
}

/// 2 of `ENOENT`.
pub(crate) fn errno_of(name: &str) -> Option<i32> {
    NAMES.iter().find(|(_, known)| *known == name).map(|(number, _)| *number)
}

pub(crate) const EPERM: i32 = 1;
pub(crate) const ENOENT: i32 = 2;
pub(crate) const EINTR: i32 = 4;
pub(crate) const EBADF: i32 = 9;
pub(crate) const EAGAIN: i32 = 11;
pub(crate) const EACCES: i32 = 13;
pub(crate) const EEXIST: i32 = 17;
pub(crate) const ENOTDIR: i32 = 20;
pub(crate) const EINVAL: i32 = 22;
pub(crate) const ENOTTY: i32 = 25;
pub(crate) const EROFS: i32 = 30;
pub(crate) const ENOSYS: i32 = 38;
pub(crate) const EOPNOTSUPP: i32 = 95;

const NAMES: [(i32, &str); 45] = [
    (EPERM, "EPERM"),
    (ENOENT, "ENOENT"),
    (3, "ESRCH"),
    (EINTR, "EINTR"),
    (5, "EIO"),
    (6, "ENXIO"),
    (7, "E2BIG"),
    (8, "ENOEXEC"),
    (EBADF, "EBADF"),
    (10, "ECHILD"),
    (EAGAIN, "EAGAIN"),
    (12, "ENOMEM"),
    (EACCES, "EACCES"),
    (14, "EFAULT"),
    (16, "EBUSY"),
    (EEXIST, "EEXIST"),
    (18, "EXDEV"),
    (19, "ENODEV"),
    (ENOTDIR, "ENOTDIR"),
    (21, "EISDIR"),
    (EINVAL, "EINVAL"),
    (23, "ENFILE"),
    (24, "EMFILE"),
    (ENOTTY, "ENOTTY"),
    (26, "ETXTBSY"),
    (27, "EFBIG"),
    (28, "ENOSPC"),
    (29, "ESPIPE"),
    (EROFS, "EROFS"),
    (31, "EMLINK"),
    (32, "EPIPE"),
    (34, "ERANGE"),
    (36, "ENAMETOOLONG"),
    (ENOSYS, "ENOSYS"),
    (39, "ENOTEMPTY"),
    (40, "ELOOP"),
    (61, "ENODATA"),
    (75, "EOVERFLOW"),
    (88, "ENOTSOCK"),
    (EOPNOTSUPP, "EOPNOTSUPP"),
    (104, "ECONNRESET"),
    (107, "ENOTCONN"),
    (110, "ETIMEDOUT"),
    (116, "ESTALE"),
    (122, "EDQUOT"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn unknown_numbers_stay_numbers() {
        assert_eq!(super::errno_name(2), "ENOENT");
        assert_eq!(super::errno_name(4000), "errno 4000");
    }

    #[test]
    fn restart_codes_of_the_kernel_are_interruptions() {
        let names = [512, 513, 514, 516].map(super::errno_name);
        assert_eq!(names, ["EINTR"; 4]);
        assert_eq!(super::program_errno(2), 2);
    }
}

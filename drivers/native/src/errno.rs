//! Names of error numbers: the kernel's generic numbers, which `x86_64` and
//! `aarch64` share.

use std::borrow::Cow;

/// The name of an error number, `E` and the number when it has none.
pub(crate) fn errno_name(errno: i32) -> Cow<'static, str> {
    let name = usize::try_from(errno).ok().and_then(|index| NAMES.get(index)).filter(|name| !name.is_empty());
    name.map_or_else(|| format!("E{errno}").into(), |&name| name.into())
}

/// By number; empty where the kernel gives the number to nothing.
const NAMES: [&str; 134] = [
    "",
    "EPERM",
    "ENOENT",
    "ESRCH",
    "EINTR",
    "EIO",
    "ENXIO",
    "E2BIG",
    "ENOEXEC",
    "EBADF",
    "ECHILD",
    "EAGAIN",
    "ENOMEM",
    "EACCES",
    "EFAULT",
    "ENOTBLK",
    "EBUSY",
    "EEXIST",
    "EXDEV",
    "ENODEV",
    "ENOTDIR",
    "EISDIR",
    "EINVAL",
    "ENFILE",
    "EMFILE",
    "ENOTTY",
    "ETXTBSY",
    "EFBIG",
    "ENOSPC",
    "ESPIPE",
    "EROFS",
    "EMLINK",
    "EPIPE",
    "EDOM",
    "ERANGE",
    "EDEADLK",
    "ENAMETOOLONG",
    "ENOLCK",
    "ENOSYS",
    "ENOTEMPTY",
    "ELOOP",
    "",
    "ENOMSG",
    "EIDRM",
    "ECHRNG",
    "EL2NSYNC",
    "EL3HLT",
    "EL3RST",
    "ELNRNG",
    "EUNATCH",
    "ENOCSI",
    "EL2HLT",
    "EBADE",
    "EBADR",
    "EXFULL",
    "ENOANO",
    "EBADRQC",
    "EBADSLT",
    "",
    "EBFONT",
    "ENOSTR",
    "ENODATA",
    "ETIME",
    "ENOSR",
    "ENONET",
    "ENOPKG",
    "EREMOTE",
    "ENOLINK",
    "EADV",
    "ESRMNT",
    "ECOMM",
    "EPROTO",
    "EMULTIHOP",
    "EDOTDOT",
    "EBADMSG",
    "EOVERFLOW",
    "ENOTUNIQ",
    "EBADFD",
    "EREMCHG",
    "ELIBACC",
    "ELIBBAD",
    "ELIBSCN",
    "ELIBMAX",
    "ELIBEXEC",
    "EILSEQ",
    "ERESTART",
    "ESTRPIPE",
    "EUSERS",
    "ENOTSOCK",
    "EDESTADDRREQ",
    "EMSGSIZE",
    "EPROTOTYPE",
    "ENOPROTOOPT",
    "EPROTONOSUPPORT",
    "ESOCKTNOSUPPORT",
    "EOPNOTSUPP",
    "EPFNOSUPPORT",
    "EAFNOSUPPORT",
    "EADDRINUSE",
    "EADDRNOTAVAIL",
    "ENETDOWN",
    "ENETUNREACH",
    "ENETRESET",
    "ECONNABORTED",
    "ECONNRESET",
    "ENOBUFS",
    "EISCONN",
    "ENOTCONN",
    "ESHUTDOWN",
    "ETOOMANYREFS",
    "ETIMEDOUT",
    "ECONNREFUSED",
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "EALREADY",
    "EINPROGRESS",
    "ESTALE",
    "EUCLEAN",
    "ENOTNAM",
    "ENAVAIL",
    "EISNAM",
    "EREMOTEIO",
    "EDQUOT",
    "ENOMEDIUM",
    "EMEDIUMTYPE",
    "ECANCELED",
    "ENOKEY",
    "EKEYEXPIRED",
    "EKEYREVOKED",
    "EKEYREJECTED",
    "EOWNERDEAD",
    "ENOTRECOVERABLE",
    "ERFKILL",
    "EHWPOISON",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn names_stand_at_their_numbers() {
        let known =
            [(1, "EPERM"), (2, "ENOENT"), (22, "EINVAL"), (24, "EMFILE"), (40, "ELOOP"), (61, "ENODATA")];
        for (errno, name) in known {
            assert_eq!(errno_name(errno), name);
        }
        assert_eq!((errno_name(95), errno_name(133)), ("EOPNOTSUPP".into(), "EHWPOISON".into()));
    }

    #[test]
    fn a_number_without_a_name_is_shown_as_the_number() {
        assert_eq!(
            (errno_name(41), errno_name(9999), errno_name(-3)),
            ("E41".into(), "E9999".into(), "E-3".into())
        );
    }

    #[test]
    fn every_number_that_the_c_library_knows_has_a_name() {
        for errno in 1..134 {
            let unknown = io::Error::from_raw_os_error(errno).to_string().starts_with("Unknown error");
            assert_eq!(unknown, errno_name(errno) == format!("E{errno}"), "{errno}");
        }
    }
}

//! Calls per operation by name and errno, as tables and messages write them:
//! `close 1, epoll_ctl=EPERM 1, lseek 0.5`.

use fathom_model::CountPass;
use std::collections::BTreeMap;

/// A call's name and, when it failed, the errno's.
pub(crate) type Key = (String, Option<String>);
/// How often an operation makes each call.
pub(crate) type Calls = BTreeMap<Key, f64>;

/// The calls that belong to the operations of a count pass.
pub(crate) fn inside(pass: &CountPass) -> Calls {
    let key = |count: &fathom_model::CallCount| (count.call.clone(), count.errno.clone());
    pass.inside.iter().map(|count| (key(count), count.per_operation())).collect()
}

/// In words, by name.
pub(crate) fn written(calls: &Calls) -> String {
    let each = calls.iter().map(|((name, errno), rate)| match errno {
        Some(errno) => format!("{name}={errno} {rate}"),
        None => format!("{name} {rate}"),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The calls that `written` wrote.
pub(crate) fn read(text: &str) -> Calls {
    let call = |part: &str| {
        let (name, rate) = part.rsplit_once(' ').unwrap_or_else(|| panic!("`{part}` of `{text}`"));
        let (name, errno) = match name.split_once('=') {
            Some((name, errno)) => (name, Some(errno.to_owned())),
            None => (name, None),
        };
        ((name.trim().to_owned(), errno), rate.parse().unwrap_or_else(|_| panic!("`{part}` of `{text}`")))
    };
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(call).collect()
}

#[test]
fn what_is_written_is_read_again() {
    for text in ["", "close 1, epoll_ctl=EPERM 1, lseek 0.5", "openat 1, openat=ENOENT 2"] {
        assert_eq!(written(&read(text)), text);
    }
}

//! What a function of a user's may return, and how it fails.

use super::sink::Sink;
use std::any::Any;
use std::fmt::Display;
use std::io;

/// What a function failed with: an error number, or words.
pub(crate) struct Fault(pub(crate) Result<i32, String>);

/// What a function may return.
pub(crate) trait Answer {
    fn deliver(self, sink: &mut Sink) -> Result<(), Fault>;
}

macro_rules! bytes {
    ($($kind:ty),*) => {$(impl Answer for $kind {
        fn deliver(self, sink: &mut Sink) -> Result<(), Fault> {
            sink.take(AsRef::<[u8]>::as_ref(&*self));
            Ok(())
        }
    })*};
}
bytes!(Vec<u8>, String, Box<[u8]>, Box<str>, std::sync::Arc<[u8]>, std::sync::Arc<str>, &'static [u8], &'static str);

macro_rules! counts {
    ($($kind:ty),*) => {$(impl Answer for $kind {
        fn deliver(self, sink: &mut Sink) -> Result<(), Fault> {
            let count = u64::try_from(self).map_err(|_| Fault(Err(format!("returned {self}"))))?;
            sink.conclude(0, count, || count.to_string());
            Ok(())
        }
    })*};
}
counts!(usize, u64, u32, isize, i64, i32);

impl<T: Answer, E: Display + 'static> Answer for Result<T, E> {
    fn deliver(self, sink: &mut Sink) -> Result<(), Fault> {
        self.map_err(|error| fault(&error))?.deliver(sink)
    }
}

impl<T: Answer> Answer for Option<T> {
    fn deliver(self, sink: &mut Sink) -> Result<(), Fault> {
        self.ok_or_else(|| Fault(Err("returned None".to_owned())))?.deliver(sink)
    }
}

fn fault<E: Display + 'static>(error: &E) -> Fault {
    let system = (error as &dyn Any).downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    Fault(system.ok_or_else(|| error.to_string()))
}

//! The switch of `drivers/interposer/elide_fstat.c`, when that library stands
//! between this process and the C library: it listens for `access`, and answers
//! it without a system call.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::methods::{FailureAt, Method, PerPath};
use super::offsets::Step;
use super::posix;
use super::sink::Sink;
use super::stage::Stage;
use std::ffi::CStr;

/// A method that does the same with every path, its fstat answered by the
/// library or not; an error when it is to be and there is no library.
pub(crate) fn switched<'a>(
    plan: &'a Plan,
    name: &str,
    call: impl FnMut(&CStr, &mut Sink) -> Result<(), Failure> + 'a,
    elides: bool,
) -> Result<Box<dyn Method + 'a>, Refusal> {
    let method = PerPath { plan, call };
    match (set(false), elides) {
        (true, _) => Ok(Box::new(Switched { method, elides })),
        (false, false) => Ok(Box::new(method)),
        (false, true) => {
            let needs = "needs the library elide-fstat before the C library (preload)";
            Err(Refusal::Unsupported(format!("{name} {needs}")))
        }
    }
}

/// Elided or not, the library is told before the clock starts: the two differ
/// in nothing else.
struct Switched<M> {
    method: M,
    elides: bool,
}

impl<M: Method> Method for Switched<M> {
    fn prepare(&mut self, _steps: &[Step], _first: u64, _stage: &mut Stage) -> Result<(), FailureAt> {
        set(self.elides);
        Ok(())
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        self.method.perform(step, sink)
    }

    fn finish(&mut self, _stage: &mut Stage) {
        set(false);
    }
}

/// From now on this thread's opens for writing are not followed by an fstat, or
/// they are again. False when there is no library: no file system has these paths.
fn set(on: bool) -> bool {
    posix::exists(if on { c"/fathom-elide/on" } else { c"/fathom-elide/off" })
}

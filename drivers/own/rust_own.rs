//! Functions of a user's file as methods. Which they are stands in own_list.rs, made for the file.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::methods::{Method, not_here};
use super::offsets::Step;
use super::own_answer::{Answer, Fault};
use super::own_list::list_functions;
use super::sink::Sink;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

const EIO: i32 = 5;

/// A function of the file: how it is called, or why it cannot be.
pub(crate) struct Own {
    pub(crate) name: &'static str,
    pub(crate) misfit: &'static str,
    pub(crate) reader: Option<Reader>,
}

pub(crate) type Reader = Box<dyn Fn(&str, &mut Sink) -> Result<(), Fault>>;

/// Which of the traits below a function has is found out by the compiler: the first that fits.
#[derive(Clone, Copy)]
pub(crate) struct Wrap<F>(pub(crate) F);

pub(crate) trait ByText {
    fn reader(&self) -> Option<Reader>;
}
impl<F: Fn(&str) -> R + Copy + 'static, R: Answer> ByText for &&Wrap<F> {
    fn reader(&self) -> Option<Reader> {
        let call = self.0;
        Some(Box::new(move |path, sink| call(path).deliver(sink)))
    }
}

pub(crate) trait ByPath {
    fn reader(&self) -> Option<Reader>;
}
impl<F: Fn(&Path) -> R + Copy + 'static, R: Answer> ByPath for &Wrap<F> {
    fn reader(&self) -> Option<Reader> {
        let call = self.0;
        Some(Box::new(move |path, sink| call(Path::new(path)).deliver(sink)))
    }
}

pub(crate) trait Misfit {
    fn reader(&self) -> Option<Reader>;
}
impl<F> Misfit for Wrap<F> {
    fn reader(&self) -> Option<Reader> {
        None
    }
}

/// Why a function is no method.
pub(crate) fn misfit(name: &str) -> Option<String> {
    let found = list_functions().into_iter().find(|own| own.name == name)?;
    found.reader.is_none().then(|| found.misfit.to_owned())
}

struct Caller {
    paths: Vec<String>,
    reader: Reader,
    failed: Option<PathBuf>,
}

impl Method for Caller {
    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let path = &self.paths[step.path];
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.reader)(path, sink)));
        let fault = match outcome {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(Fault(fault))) => fault,
            Err(panic) => Err(words_of(&*panic)),
        };
        // The answer to a failed operation has no room for words but behind the path.
        let words = fault.as_ref().err().map(|words| words.split_whitespace().collect::<Vec<_>>().join(" "));
        self.failed = words.map(|words| PathBuf::from(format!("{path} ({words})")));
        Err(Failure { call: "function", errno: fault.unwrap_or(EIO) })
    }

    fn failed_path(&self) -> Option<&Path> {
        self.failed.as_deref()
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("with no words"))
}

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    let found = list_functions().into_iter().find(|own| own.name == name);
    let reader = found.and_then(|own| own.reader).ok_or_else(|| not_here(name))?;
    let text = |path: &std::ffi::CString| path.to_str().map(str::to_owned);
    let paths = plan.paths.iter().map(text).collect::<Result<_, _>>();
    let paths = paths.map_err(|_| Refusal::Unsupported("a path is not UTF-8".to_owned()))?;
    Ok(Box::new(Caller { paths, reader, failed: None }))
}

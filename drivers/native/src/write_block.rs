//! `write-block`: write one block into a file that is open, or mapped, already.

use super::arguments::{Access, Plan};
use super::failure::{Failure, Refusal};
use super::ffi::{O_DIRECT, O_DIRECTORY, O_RDONLY};
use super::ffi_write::O_DSYNC;
use super::methods::{FailureAt, Method, not_here};
use super::offsets::Step;
use super::open_close::as_path;
use super::pool::Pool;
use super::posix::{self, Fd};
use super::sink::Sink;
use super::stage::{Stage, beside_paths};
use super::support;
use super::writers::{AtOffset, Mapped, Nothing, Positioned, Std, StdAtOffset, Streamed, Writer};
use super::writing::{Existing, Sync};
use std::ffi::{CString, c_int};
use std::fs::File;
use std::io::BufWriter;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "null" => writing::<Nothing>(plan, 0),
        "write" => in_order::<Positioned>(name, plan)?,
        "File::write_all" => in_order::<Std<File>>(name, plan)?,
        "BufWriter" => in_order::<Std<BufWriter<File>>>(name, plan)?,
        "fwrite" => in_order::<Streamed>(name, plan)?,
        "pwrite" => writing::<AtOffset>(plan, 0),
        "pwrite+O_DSYNC" => writing::<AtOffset>(plan, O_DSYNC),
        "pwrite+O_DIRECT" => {
            support::check_direct_writes(plan)?;
            writing::<AtOffset>(plan, O_DIRECT)
        }
        "File+write_all_at" => writing::<StdAtOffset>(plan, 0),
        "mmap+MAP_SHARED" => writing::<Mapped>(plan, 0),
        _ => return Err(not_here(name)),
    })
}

fn writing<'a, W: Writer + 'a>(plan: &'a Plan, flags: c_int) -> Box<dyn Method + 'a> {
    let pool = Pool::new(plan.writing.content, plan.seed, plan.block);
    let path = CString::default();
    Box::new(WriteBlock::<W> { plan, flags, pool, next: 0, path, open: None })
}

/// A method that writes where the file stands.
fn in_order<'a, W: Writer + 'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    if plan.access == Access::Random {
        let reason = format!("{name} writes where the file stands: it has no random access");
        return Err(Refusal::Unsupported(reason));
    }
    Ok(writing::<W>(plan, 0))
}

struct WriteBlock<'a, W> {
    plan: &'a Plan,
    flags: c_int,
    pool: Pool,
    /// Number of the pool's next block.
    next: usize,
    path: CString,
    /// During a batch.
    open: Option<Open<W>>,
}

struct Open<W> {
    writer: W,
    /// For `syncfs`; there is none where nothing is written.
    directory: Option<Fd>,
}

impl<W: Writer> WriteBlock<'_, W> {
    /// A new directory and the file in it, opened.
    fn open_file(&mut self, stage: &mut Stage) -> Result<Open<W>, Failure> {
        stage.remove_left()?;
        if !W::WRITES {
            stage.skip_directory();
            return Ok(Open { writer: W::open(&self.path, self.flags, self.plan)?, directory: None });
        }
        let directory = stage.make_directory(self.plan)?;
        let path = directory.join("f");
        match self.plan.writing.existing {
            Existing::Data => stage.place_overwritten(&path, self.plan.size, self.pool.bytes())?,
            Existing::Empty => {
                File::create(&path).map_err(|error| Failure::of("File::create", &error))?;
                stage.leave(path.clone());
            }
            Existing::Fresh => stage.leave(path.clone()),
        }
        self.path = c_string(&path);
        let directory = posix::open(&c_string(&directory), O_RDONLY | O_DIRECTORY)?;
        let writer = W::open(&self.path, self.flags, self.plan)?;
        Ok(Open { writer, directory: Some(directory) })
    }

    fn writer(&mut self) -> Result<&mut Open<W>, Failure> {
        self.open.as_mut().ok_or_else(|| Failure::short("write-block"))
    }
}

fn c_string(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("an argument has no null byte")
}

impl<W: Writer> Method for WriteBlock<'_, W> {
    fn prepare(&mut self, steps: &[Step], first: u64, stage: &mut Stage) -> Result<(), FailureAt> {
        let blocks = self.pool.blocks() as u64;
        self.next = usize::try_from(first % blocks).expect("less than the pool's blocks");
        let mut open = self.open_file(stage).map_err(beside_paths)?;
        if let Some(step) = steps.first() {
            open.writer.go_to(step.offset).map_err(beside_paths)?;
        }
        self.open = Some(open);
        Ok(())
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let Some(open) = &mut self.open else { return Err(Failure::short("write-block")) };
        let block = self.pool.block(self.next);
        self.next = if self.next + 1 == self.pool.blocks() { 0 } else { self.next + 1 };
        open.writer.write(block, step.offset)?;
        sink.take(block);
        Ok(())
    }

    fn complete(&mut self) -> Result<(), Failure> {
        let sync = self.plan.writing.sync;
        let Open { writer, directory } = self.writer()?;
        writer.flush()?;
        match (sync, directory) {
            (Sync::None, _) => Ok(()),
            (Sync::Syncfs, Some(directory)) => directory.sync_file_system(),
            _ => writer.sync(),
        }
    }

    fn finish(&mut self, _: &mut Stage) {
        self.open = None;
    }

    fn verify(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        if !W::WRITES {
            return self.perform(step, sink);
        }
        self.perform(step, &mut Sink::counting())?;
        self.writer()?.writer.flush()?;
        let mut block = vec![0; self.plan.block];
        let read = File::open(as_path(&self.path))
            .and_then(|file| file.read_exact_at(&mut block, step.offset as u64));
        read.map_err(|error| Failure::of("read", &error))?;
        sink.take(&block);
        Ok(())
    }

    fn failed_path(&self) -> Option<&Path> {
        Some(as_path(&self.path)).filter(|path| !path.as_os_str().is_empty())
    }
}

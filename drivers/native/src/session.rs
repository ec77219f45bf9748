//! The conversation of `run`: obeys lines, answers lines.

use super::arguments::Plan;
use super::batch::{self, Order, Timed, Watch, Workspace};
use super::clock::Counters;
use super::methods::{FailureAt, Seat};
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufWriter, Write};

/// Says that it is ready, then obeys until `quit` or the end of the input. The
/// answer is why it could not go on, where a batch asked for what cannot be had here.
pub(crate) fn converse(
    plan: &Plan,
    seats: &mut [Seat<'_>],
    mut input: impl BufRead,
    output: impl Write,
) -> io::Result<Option<String>> {
    let output = BufWriter::new(output);
    let mut session = Session {
        plan,
        seats,
        workspace: Workspace::default(),
        results: Vec::new(),
        orders: Vec::new(),
        output,
    };
    session.say("ready")?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        match parse_line(text, session.seats.len()) {
            Some(Request::Batch(order)) => session.batch(order)?,
            Some(Request::Blocks) => session.blocks(text)?,
            Some(Request::Verify(method)) => session.verify(method)?,
            Some(Request::Release) => session.release()?,
            Some(Request::Quit) => return Ok(None),
            None => session.refuse(text)?,
        }
        if session.workspace.stage.refusal.is_some() {
            return Ok(session.workspace.stage.refusal);
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Request {
    Batch(Order),
    /// A schedule; its orders are read on the way.
    Blocks,
    Verify(usize),
    Release,
    Quit,
}

fn parse_line(line: &str, methods: usize) -> Option<Request> {
    let mut words = line.split_ascii_whitespace();
    let request = match words.next()? {
        "batch" => {
            let operations = words.next()?.parse().ok()?;
            let mut order = Order { method: 0, operations, preroll: 0 };
            for word in words.by_ref() {
                match word.split_once('=')? {
                    ("method", number) => order.method = number.parse().ok()?,
                    ("preroll", number) => order.preroll = number.parse().ok()?,
                    _ => return None,
                }
            }
            (order.method < methods).then_some(Request::Batch(order))?
        }
        "blocks" => {
            words.by_ref().all(|word| parse_order(word, methods).is_some()).then_some(Request::Blocks)?
        }
        "verify" => {
            let method = match words.next() {
                Some(word) => word.strip_prefix("method=")?.parse().ok()?,
                None => 0,
            };
            (method < methods).then_some(Request::Verify(method))?
        }
        "release" => Request::Release,
        "quit" => Request::Quit,
        _ => return None,
    };
    words.next().is_none().then_some(request)
}

/// `K:N:P`.
fn parse_order(word: &str, methods: usize) -> Option<Order> {
    let mut numbers = word.split(':').map(str::parse);
    let (method, operations, preroll) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    (numbers.next().is_none() && method < methods).then_some(Order { method, operations, preroll })
}

struct Session<'s, 'a, W: Write> {
    plan: &'s Plan,
    seats: &'s mut [Seat<'a>],
    workspace: Workspace,
    orders: Vec<Order>,
    results: Vec<Timed>,
    output: BufWriter<W>,
}

impl<W: Write> Session<'_, '_, W> {
    fn batch(&mut self, order: Order) -> io::Result<()> {
        let watch = Watch { latencies: self.plan.latencies.is_some(), cpu: true };
        if self.workspace.reserve(order, watch.latencies).is_err() {
            return self.say("error op=batch errno=ENOMEM path=");
        }
        let seat = &mut self.seats[order.method];
        match batch::run_batch(self.plan, seat, &mut self.workspace, order, watch) {
            Err(failure) => self.fail(failure, order.method),
            Ok(timed) => match self.write_latencies() {
                Ok(()) => {
                    write_done(&mut self.output, self.plan, &timed)?;
                    self.output.flush()
                }
                Err(error) => self.fail_latencies(&error),
            },
        }
    }

    /// All results are kept until the schedule is done: nothing is written between batches.
    fn blocks(&mut self, line: &str) -> io::Result<()> {
        let methods = self.seats.len();
        self.orders.clear();
        self.orders
            .extend(line.split_ascii_whitespace().skip(1).filter_map(|word| parse_order(word, methods)));
        self.results.clear();
        self.results.reserve(self.orders.len());
        let watch = Watch { latencies: false, cpu: false };
        if self.orders.iter().any(|&order| self.workspace.reserve(order, false).is_err()) {
            return self.say("error op=blocks errno=ENOMEM path=");
        }
        let mut failed = None;
        for &order in &self.orders {
            let seat = &mut self.seats[order.method];
            match batch::run_batch(self.plan, seat, &mut self.workspace, order, watch) {
                Ok(timed) => self.results.push(timed),
                Err(failure) => {
                    failed = Some((failure, order.method));
                    break;
                }
            }
        }
        for timed in &self.results {
            write_done(&mut self.output, self.plan, timed)?;
        }
        match failed {
            Some((failure, method)) => self.fail(failure, method),
            None => self.say("end"),
        }
    }

    fn verify(&mut self, method: usize) -> io::Result<()> {
        match batch::run_verify(self.plan, &mut self.seats[method], &mut self.workspace.stage) {
            Ok(sink) => {
                writeln!(self.output, "verified bytes={} crc32={:08x}", sink.bytes, sink.crc32())?;
                self.output.flush()
            }
            Err(failure) => self.fail(failure, method),
        }
    }

    fn release(&mut self) -> io::Result<()> {
        self.seats.iter_mut().for_each(|seat| seat.method.release());
        self.say("released")
    }

    fn write_latencies(&self) -> io::Result<()> {
        let Some(path) = &self.plan.latencies else { return Ok(()) };
        let bytes: Vec<u8> = self.workspace.latencies_ns.iter().flat_map(|ns| ns.to_le_bytes()).collect();
        OpenOptions::new().create(true).append(true).open(path)?.write_all(&bytes)
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn refuse(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "error op=protocol errno=EINVAL path={line}")?;
        self.output.flush()
    }

    fn fail(&mut self, FailureAt { failure, path }: FailureAt, method: usize) -> io::Result<()> {
        if self.workspace.stage.refusal.is_some() {
            return Ok(());
        }
        let given = self.plan.paths.get(path).map(|path| path.to_bytes());
        let own = self.seats[method].method.failed_path().map(|path| path.as_os_str().as_encoded_bytes());
        let path = own.or(given).unwrap_or_default();
        write_error(&mut self.output, failure.call, failure.errno, path)
    }

    fn fail_latencies(&mut self, error: &io::Error) -> io::Result<()> {
        let path = self.plan.latencies.as_ref().map_or(&b""[..], |path| path.as_os_str().as_encoded_bytes());
        write_error(&mut self.output, "latencies", error.raw_os_error().unwrap_or(0), path)
    }
}

fn write_done(output: &mut impl Write, plan: &Plan, timed: &Timed) -> io::Result<()> {
    let Timed { operations, ns, bytes, digest, count, counters, cpu_ns } = timed;
    write!(output, "done ops={operations} ns={ns} bytes={bytes} digest={digest}")?;
    if let Some(key) = plan.operation.count_key() {
        write!(output, " {key}={count}")?;
    }
    if let Some(cpu_ns) = cpu_ns {
        write!(output, " cpu_ns={cpu_ns}")?;
    }
    let Counters { minflt, majflt, nivcsw } = counters;
    writeln!(output, " nivcsw={nivcsw} minflt={minflt} majflt={majflt}")
}

/// A path may hold any byte; a line break in it would end the answer.
fn write_error(output: &mut impl Write, call: &str, errno: i32, path: &[u8]) -> io::Result<()> {
    let path: Vec<u8> = path.iter().map(|&byte| if byte == b'\n' { b'?' } else { byte }).collect();
    write!(output, "error op={call} errno={errno} path=")?;
    output.write_all(&path)?;
    output.write_all(b"\n")?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_the_protocol_says() {
        let order = |method, operations, preroll| Order { method, operations, preroll };
        assert_eq!(parse_line("batch 5", 1), Some(Request::Batch(order(0, 5, 0))));
        assert_eq!(parse_line("batch 5 method=1 preroll=7", 2), Some(Request::Batch(order(1, 5, 7))));
        assert_eq!(parse_line("batch 5 preroll=7 method=1", 2), Some(Request::Batch(order(1, 5, 7))));
        assert_eq!(parse_line("verify method=2", 3), Some(Request::Verify(2)));
        assert_eq!(parse_line("verify", 1), Some(Request::Verify(0)));
        assert_eq!(parse_line("blocks 0:1:2 1:3:4", 2), Some(Request::Blocks));
        assert_eq!(parse_order("1:3:4", 2), Some(order(1, 3, 4)));
    }

    #[test]
    fn lines_without_sense_are_refused() {
        for line in [
            "",
            "batch",
            "batch x",
            "batch -1",
            "batch 1 method=1",
            "batch 1 speed=3",
            "batch 1 2",
            "blocks 0:1",
            "blocks 0:1:2:3",
            "blocks 1:1:1",
            "blocks 0:1:1 x",
            "verify 0",
            "verify method=1",
            "release now",
            "quit 1",
            "stop",
        ] {
            assert_eq!(parse_line(line, 1), None, "{line}");
        }
    }
}

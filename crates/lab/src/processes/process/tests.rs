//! Driver processes played by shell scripts.

use super::*;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn shell(script: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    command
}

const BATCH: Batch = Batch { slot: 0, operations: 1, preroll: 0 };

#[test]
fn a_batch_is_asked_and_answered() {
    let script = "echo ready; read line; echo done ops=1 ns=5 bytes=0 digest=0; read line; exit 0";
    let mut driver = DriverProcess::spawn("sh", shell(script), None, &GO_ON).unwrap();
    assert_eq!(driver.batch(BATCH).unwrap().ns, 5);
    assert!(driver.quit().unwrap().success());
}

#[test]
fn more_time_than_passed_is_no_answer() {
    let script = "echo ready; read line; echo done ops=1 ns=60000000000 bytes=0 digest=0; read line";
    let mut driver = DriverProcess::spawn("sh", shell(script), None, &GO_ON).unwrap();
    let error = driver.batch(BATCH).unwrap_err();
    assert!(matches!(error, ProcessError::Impossible { .. }), "{error}");
    assert!(error.to_string().contains("60000000000 ns between its readings of the clock"), "{error}");
}

#[test]
fn times_of_a_schedule_are_added_up() {
    let script = "echo ready; read line; sleep 0.2; echo done ops=1 ns=200000000 bytes=0 digest=0; \
                  echo done ops=1 ns=60000000000 bytes=0 digest=0; echo end; read line";
    let mut driver = DriverProcess::spawn("sh", shell(script), None, &GO_ON).unwrap();
    let error = driver.blocks(&[BATCH, BATCH]).unwrap_err().to_string();
    assert!(error.contains("60200000000 ns between"), "{error}");
}

#[test]
fn endless_answers_and_endless_complaints_end_the_driver() {
    for (script, words) in [
        ("echo ready; read line; tr '\\0' x </dev/zero", "answered a line of more than 1 MiB"),
        ("tr '\\0' x </dev/zero", "answered a line of more than 1 MiB while starting"),
        (
            "echo ready; read line; head -c 70000000 /dev/zero >&2; exec sleep 1000",
            "wrote to standard error a text of more than 64 MiB",
        ),
    ] {
        let outcome =
            DriverProcess::spawn("sh", shell(script), None, &GO_ON).and_then(|mut it| it.batch(BATCH));
        let error = outcome.unwrap_err();
        assert!(matches!(error, ProcessError::TooMuch { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn of_many_last_words_the_last_are_told() {
    let script = "yes complaint | head -c 5000000 >&2; printf 'the end\\377\\n' >&2; exit 5";
    let error = DriverProcess::spawn("sh", shell(script), None, &GO_ON).unwrap_err().to_string();
    assert!(error.contains("exited with 5") && error.contains("the end\u{fffd}"), "{error}");
}

#[test]
fn a_killed_driver_is_named_with_its_signal_and_last_words() {
    let script = "echo ready; read line; echo dying >&2; kill -9 $$";
    let mut driver = DriverProcess::spawn("sh", shell(script), None, &GO_ON).unwrap();
    let error = driver.batch(BATCH).unwrap_err().to_string();
    assert!(error.contains("was killed by SIGKILL while performing a batch: dying"), "{error}");
}

#[test]
fn exit_77_is_a_reason_and_not_a_failure() {
    let error =
        DriverProcess::spawn("sh", shell("echo no O_DIRECT here >&2; exit 77"), None, &GO_ON).unwrap_err();
    assert!(matches!(&error, ProcessError::Unsupported(reason) if reason == "no O_DIRECT here"), "{error}");
}

#[test]
fn a_schedule_with_an_answer_missing_breaks_the_protocol() {
    let script = "echo ready; read line; echo done ops=1 ns=5 bytes=0 digest=0; echo end; read line";
    let mut driver = DriverProcess::spawn("sh", shell(script), None, &GO_ON).unwrap();
    let error = driver.blocks(&[BATCH, BATCH]).unwrap_err();
    assert!(matches!(error, ProcessError::Protocol { .. }), "{error}");
}

#[test]
fn an_interrupt_ends_the_wait_and_the_driver() {
    let stop = AtomicBool::new(false);
    let mut driver = DriverProcess::spawn("sh", shell("echo ready; sleep 1000"), None, &stop).unwrap();
    let pid = driver.pid();
    stop.store(true, Ordering::Relaxed);
    assert!(matches!(driver.batch(BATCH), Err(ProcessError::Interrupted)));
    drop(driver);
    assert!(!Path::new(&format!("/proc/{pid}")).exists());
}

#[test]
fn a_driver_that_closes_its_output_and_lives_on_is_killed_and_named() {
    for script in ["exec >&-; exec sleep 1000", "echo ready; read line; exec >&-; exec sleep 1000"] {
        let begun = Instant::now();
        let outcome =
            DriverProcess::spawn("sh", shell(script), None, &GO_ON).and_then(|mut it| it.batch(BATCH));
        let error = outcome.unwrap_err();
        assert!(matches!(error, ProcessError::LivesOn { .. }), "{error}");
        assert!(begun.elapsed() >= QUIT_LIMIT, "it was given time to end");
        assert!(error.to_string().contains("closed its standard output"), "{error}");
    }
}

#[test]
fn an_interrupt_ends_the_wait_for_a_driver_that_lives_on() {
    let stop = AtomicBool::new(false);
    let script = "echo ready; exec >&-; exec sleep 1000";
    let mut driver = DriverProcess::spawn("sh", shell(script), None, &stop).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(matches!(driver.batch(BATCH), Err(ProcessError::Interrupted | ProcessError::LivesOn { .. })));
    });
}

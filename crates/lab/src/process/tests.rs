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
    let mut driver = DriverProcess::spawn("sh", shell(script), &GO_ON).unwrap();
    assert_eq!(driver.batch(BATCH).unwrap().ns, 5);
    assert!(driver.quit().unwrap().success());
}

#[test]
fn a_killed_driver_is_named_with_its_signal_and_last_words() {
    let script = "echo ready; read line; echo dying >&2; kill -9 $$";
    let mut driver = DriverProcess::spawn("sh", shell(script), &GO_ON).unwrap();
    let error = driver.batch(BATCH).unwrap_err().to_string();
    assert!(error.contains("was killed by SIGKILL while performing a batch: dying"), "{error}");
}

#[test]
fn exit_77_is_a_reason_and_not_a_failure() {
    let error = DriverProcess::spawn("sh", shell("echo no O_DIRECT here >&2; exit 77"), &GO_ON).unwrap_err();
    assert!(matches!(&error, ProcessError::Unsupported(reason) if reason == "no O_DIRECT here"), "{error}");
}

#[test]
fn a_schedule_with_an_answer_missing_breaks_the_protocol() {
    let script = "echo ready; read line; echo done ops=1 ns=5 bytes=0 digest=0; echo end; read line";
    let mut driver = DriverProcess::spawn("sh", shell(script), &GO_ON).unwrap();
    let error = driver.blocks(&[BATCH, BATCH]).unwrap_err();
    assert!(matches!(error, ProcessError::Protocol { .. }), "{error}");
}

#[test]
fn an_interrupt_ends_the_wait_and_the_driver() {
    let stop = AtomicBool::new(false);
    let mut driver = DriverProcess::spawn("sh", shell("echo ready; sleep 1000"), &stop).unwrap();
    let pid = driver.pid();
    stop.store(true, Ordering::Relaxed);
    assert!(matches!(driver.batch(BATCH), Err(ProcessError::Interrupted)));
    drop(driver);
    assert!(!Path::new(&format!("/proc/{pid}")).exists());
}

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::mpsc;
use std::thread;

const O_DSYNC: i32 = 0o10000;

struct Payment {
    cents: u64,
    confirm: mpsc::Sender<bool>,
}

fn journal(rx: mpsc::Receiver<Payment>) -> io::Result<u64> {
    let mut f = OpenOptions::new()
        .append(true)
        .create_new(true)
        .custom_flags(O_DSYNC)
        .open("payments.journal")?;
    File::open(".")?.sync_all()?;
    let mut sum = 0;
    for p in rx {
        let rec = format!("pay {}\n", p.cents);
        let ok = f.write_all(rec.as_bytes()).is_ok();
        sum += p.cents;
        let _ = p.confirm.send(ok); // durable now
    }
    Ok(sum)
}

fn main() {
    let (tx, rx) = mpsc::channel::<Payment>();
    let writer = thread::spawn(move || journal(rx));
    let mut confirmed = 0;
    for i in 1..=40u64 {
        let (confirm, answer) = mpsc::channel();
        tx.send(Payment { cents: i * 125, confirm }).unwrap();
        if answer.recv() == Ok(true) {
            confirmed += 1;
        }
    }
    drop(tx);
    let sum = writer.join().unwrap().unwrap();
    println!("{confirmed} confirmed, {sum} cents");
}

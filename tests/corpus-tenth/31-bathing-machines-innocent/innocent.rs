// Gives the bathing machines of a beach to the parties of the day. Other desks give out
// machines too, so all machines are held until the plan is written.
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};

struct Machine {
    name: String,
    hours: u32,
    _held: File,
}

fn hold(name: &str) -> io::Result<Option<Machine>> {
    let mut file = File::open(format!("machines/{name}"))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(e)) => return Err(e),
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let hours = text.split_whitespace().nth(3).and_then(|h| h.parse().ok()).unwrap_or(0);
    Ok(Some(Machine { name: name.to_string(), hours, _held: file }))
}

fn main() -> io::Result<()> {
    let mut names: Vec<String> = fs::read_dir("machines")?
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.ends_with(".slot"))
        .collect();
    names.sort();

    let mut machines = Vec::new();
    let mut elsewhere = 0;
    for name in &names {
        match hold(name)? {
            Some(m) => machines.push(m),
            None => elsewhere += 1,
        }
    }

    let mut plan = String::new();
    let mut turned_away = 0;
    let mut next = machines.iter().filter(|m| m.hours < 4);
    for party in fs::read_to_string("parties.txt")?.lines() {
        match next.next() {
            Some(m) => plan.push_str(&format!("{} -> {}\n", party, m.name)),
            None => turned_away += 1,
        }
    }
    fs::write("plan.txt", &plan)?;

    println!("{} machines held, {} held elsewhere", machines.len(), elsewhere);
    println!("{} parties placed, {} turned away", plan.lines().count(), turned_away);
    std::process::exit(if machines.is_empty() { 1 } else { 0 })
}

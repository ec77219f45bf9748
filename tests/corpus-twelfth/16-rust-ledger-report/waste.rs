// ledger-report: turns a bookkeeping export into a text report grouped by account.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

struct Entry {
    date: String,
    account: String,
    cents: i64,
    text: String,
}

fn parse(line: &str) -> Option<Entry> {
    let mut parts = line.splitn(4, ',');
    Some(Entry {
        date: parts.next()?.to_string(),
        account: parts.next()?.to_string(),
        cents: parts.next()?.parse().ok()?,
        text: parts.next()?.to_string(),
    })
}

fn money(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{}{}.{:02}", sign, cents.abs() / 100, cents.abs() % 100)
}

fn write_report(path: &Path, groups: &BTreeMap<String, Vec<Entry>>) -> io::Result<i64> {
    let mut out = File::create(path)?;
    let mut grand = 0;
    writeln!(out, "Ledger report, {} accounts", groups.len())?;
    for (account, entries) in groups {
        let mut sum = 0;
        writeln!(out, "\n== {} ==", account)?;
        for e in entries {
            sum += e.cents;
            writeln!(out, "{}  {}  {}  ({})", e.date, money(e.cents), e.text, money(sum))?;
        }
        writeln!(out, "total {}: {}", account, money(sum))?;
        grand += sum;
    }
    writeln!(out, "\ngrand total {}", money(grand))?;
    Ok(grand)
}

fn main() -> io::Result<()> {
    let text = fs::read_to_string("ledger.csv")?;
    let mut groups: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    let mut bad = 0;
    for line in text.lines() {
        match parse(line) {
            Some(e) => groups.entry(e.account.clone()).or_default().push(e),
            None => bad += 1,
        }
    }
    fs::create_dir_all("out")?;
    let grand = write_report(Path::new("out/report.txt"), &groups)?;
    println!("{} accounts, {} bad lines, grand total {}", groups.len(), bad, money(grand));
    Ok(())
}
